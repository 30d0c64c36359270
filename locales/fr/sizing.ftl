# Ce que demande une tâche, part par part : noms, formules avec les nombres du scénario, et les lignes de `vramfit size`.

size-part = { $part ->
    [weights] Poids
    [kv_cache] KV cache
    [kv_window] KV cache des fenêtres glissantes
    [state] États récurrents
    [activations] Activations
    [compute] Tampon de calcul
    [master_weights] Poids maîtres
    [gradients] Gradients
    [optimizer] États de l’optimiseur
    [adapters] Adaptateurs LoRA
    [logits] Logits
    [text_encoders] Encodeurs de texte
    [vae] VAE
    [control_nets] ControlNets
    [cache] Cache de l’allocateur
    [draft] Modèle d’ébauche
    [graphs] CUDA graphs
    [temporary] Tampons temporaires
   *[overhead] Surcoût
}
size-lever = { $lever ->
    [context] Contexte le plus long
    [users] Requêtes simultanées au plus
    [format] Format le plus fin
    [cache] KV cache le plus fin
    [gpu_layers] Couches sur la carte
    [cpu_experts] Nombre minimal de couches dont les experts restent sur le CPU
    [ubatch] Plus grand micro-lot
    [tensor_parallel] Nombre minimal de cartes par couche
    [utilisation] Part minimale de la carte, en pour cent
    [batch] Plus grand lot
    [sequence] Plus longue séquence
    [rank] Rang LoRA le plus élevé
    [cards] Nombre minimal de ces cartes
    [resolution] Plus grande image
    [frames] Vidéo la plus longue, en images
    [text_format] Encodeurs de texte les plus fins
   *[card] Plus petite carte
}
size-stage-name = { $stage ->
    [loading] Chargement
    [text] Encodage du texte
    [denoise] Débruitage
   *[decode] Décodage VAE
}

# Les formules

size-weights = { $cards ->
    [one] { $params } paramètres × { $bits } bits ÷ 8, en { $format }. Les bits sont la moyenne de tous les tenseurs, échelles comprises.
   *[other] { $params } paramètres × { $bits } bits ÷ 8 ÷ { $cards } cartes, en { $format }. Les bits sont la moyenne de tous les tenseurs, échelles comprises.
}
size-weights-bare = La règle simple donne { $params } × { $bits } bits ÷ 8 = { $bytes } ; un checkpoint prend { $file }. Les fichiers quantifiés gardent quelques tenseurs, surtout l’embedding et la tête de sortie, sur plus de bits, et les échelles s’y ajoutent.
size-kv-cache = { $users ->
    [one] { $per_token } par token × { $tokens } tokens.
   *[other] { $per_token } par token × { $tokens } tokens × { $users } requêtes.
}
size-kv-cache-unsure = { $users ->
    [one] Environ { $per_token } par token × { $tokens } tokens, comme dans les modèles de cette taille. Saisissez couches, têtes KV et taille de tête pour le savoir.
   *[other] Environ { $per_token } par token × { $tokens } tokens × { $users } requêtes, comme dans les modèles de cette taille. Saisissez couches, têtes KV et taille de tête pour le savoir.
}
size-kv-window = { $layers ->
    [one] { $layers } couche ne garde qu’une fenêtre de { $window } tokens : { $cells } cellules pour toutes les requêtes, { $bytes }.
   *[other] { $layers } couches ne gardent qu’une fenêtre de { $window } tokens : { $cells } cellules pour toutes les requêtes, { $bytes }.
}
size-state = { $users ->
    [one] { $layers } couches gardent un état de taille fixe, quel que soit le contexte : { $bytes }.
   *[other] { $layers } couches gardent un état de taille fixe pour chacune des { $users } requêtes, quel que soit le contexte : { $bytes }.
}
size-activations-profile = Ce que le moteur mesure au démarrage : une étape de { $tokens } tokens dans une couche, ou le choix parmi { $vocab } mots pour { $requests } requêtes, le plus grand des deux.
size-activations-prompt = { $users ->
    [one] Un prompt de { $tokens } tokens qui traverse une couche à la fois, en 16 bits.
   *[other] { $users } prompts de { $tokens } tokens qui traversent une couche à la fois, en 16 bits.
}
size-activations-checkpointed = Avec gradient checkpointing : { $batch } × { $sequence } tokens × { $hidden } de largeur × { $layers } couches × { $each } octets, et une couche pendant qu’elle est recalculée.
size-activations-selective = Avec un checkpointing par opération : la moitié des produits de matrices et le résultat de l’attention pour { $batch } × { $sequence } tokens, { $hidden } de largeur, dans { $layers } couches, et une couche pendant que le reste est recalculé.
size-activations-kept = Sans gradient checkpointing : tout ce dont la rétropropagation a besoin pour { $batch } × { $sequence } tokens, { $hidden } de largeur, dans { $layers } couches.
size-logits = { $loss ->
    [chunked] { $batch } × { $sequence } tokens × { $vocab } mots × { $each } octets : les logits en 16 bits, et ce qu’une perte calculée par morceaux tire d’une partie d’entre eux.
    [fused] { $batch } × { $sequence } tokens × { $vocab } mots × { $each } octets : une perte fusionnée ne garde jamais plus qu’une partie des logits.
   *[plain] { $batch } × { $sequence } tokens × { $vocab } mots × { $each } octets : les logits, leur copie en 32 bits, les log-probabilités et leur gradient.
}
size-adapters = Rang { $rank } à côté { $targets ->
    [attn] des couches d’attention
    [qv] des requêtes et des valeurs
    [mlp] des couches feed-forward
    [head] de chaque couche linéaire et de la tête
   *[all] de chaque couche linéaire
} : { $params } paramètres entraînés × { $each } octets sur chaque carte, gradients et états compris dès qu’ils existent.
size-temporary = { $moment ->
    [loss] Au calcul de la perte
    [backward] Au début de la rétropropagation
    [gradients] À la fin de la rétropropagation
   *[step] Pendant l’étape de l’optimiseur
}, et libéré ensuite : { $bytes } pour des couches rassemblées d’ailleurs, des gradients en transit, des poids déquantifiés ou les résultats intermédiaires de l’optimiseur.
size-moment = { $moment ->
    [loss] Le pic se situe à la fin de la passe avant, au calcul de la perte : toutes les activations gardées et les logits sont là.
    [backward] Le pic se situe au début de la rétropropagation, pendant que sa première couche est recalculée.
    [gradients] Le pic se situe à la fin de la rétropropagation, quand tous les gradients sont là.
   *[step] Le pic se situe à l’étape de l’optimiseur : tous les gradients sont là, et ce dont elle a besoin elle-même.
}
size-compute-logits = Les logits de { $ubatch } tokens sur { $vocab } mots, et une ligne de { $hidden }, en 32 bits : { $bytes }.
size-compute-feed-forward = { $ubatch } tokens dans une couche feed-forward, large de { $width } depuis { $hidden }, en 32 bits : { $bytes }.
size-compute-mask = Le masque d’attention de { $ubatch } tokens sur un contexte de { $context }, et des lignes de { $hidden } : { $bytes }.
size-compute-scores = Les scores de { $heads } têtes, { $ubatch } tokens sur un contexte de { $context }, et des lignes de { $hidden } ; la flash attention les évite : { $bytes }.
size-gradients = { $cards ->
    [one] { $params } paramètres × { $each } octets.
   *[other] { $params } paramètres × { $each } octets ÷ { $cards } cartes.
}
size-master-weights = { $cards ->
    [one] { $params } paramètres × { $each } octets, la copie en 32 bits que l’optimiseur modifie.
   *[other] { $params } paramètres × { $each } octets ÷ { $cards } cartes, la copie en 32 bits que l’optimiseur modifie.
}
size-optimizer-name = { $optimizer ->
    [adamw8bit] { calc-optimizer-adamw8bit }
    [adafactor] { calc-optimizer-adafactor }
    [sgd] { calc-optimizer-sgd }
    [lion] { calc-optimizer-lion }
    [muon] { calc-optimizer-muon }
    [galore] { calc-optimizer-galore }
   *[adamw] { calc-optimizer-adamw }
}
size-optimizer = { $cards ->
    [one] { $params } paramètres × { $each } octets, par { size-optimizer-name }.
   *[other] { $params } paramètres × { $each } octets ÷ { $cards } cartes, par { size-optimizer-name }.
}
size-overhead = De { $low } à { $high } pour le contexte CUDA, les bibliothèques et les résultats intermédiaires.
size-overhead-context = De { $low } à { $high } pour le contexte CUDA, les kernels et leurs espaces de travail.
size-overhead-engine = De { $low } à { $high } pour ce que les bibliothèques prennent hors de PyTorch.
size-adapters-loaded = { $count ->
    [one] { $count } adaptateur de rang { $rank } : { $params } paramètres × 2 octets.
   *[other] { $count } adaptateurs de rang { $rank } : { $params } paramètres chacun × 2 octets.
}
size-draft = { $model } à côté : ses poids, et son cache pour un contexte aussi long.
size-draft-layer = Une couche propre au modèle qui ébauche des tokens, s’il en a une : aussi grande que les autres, avec son propre cache.
size-graphs = { $graphs ->
    [one] { $graphs } graphe enregistré de { $layers } couches.
   *[other] { $graphs } graphes enregistrés de { $layers } couches.
}
size-overhead-training = De { $low } à { $high } pour le contexte CUDA, les espaces de travail et les arrondis de l’allocateur. Ce que l’allocateur garde en réserve s’y ajoute dans nvidia-smi.

# Images et vidéos

size-image-streamed = { $bytes } à la fois sur la carte : le reste attend en mémoire système.
size-image-encoders = { $names }, en { $format }.
size-image-adapters = { $count ->
    [one] Un adaptateur de rang { $rank } à côté de chaque couche linéaire. ComfyUI le fusionne avec les poids.
   *[other] { $count } adaptateurs de rang { $rank } à côté de chaque couche linéaire. ComfyUI les fusionne avec les poids.
}
size-image-control-nets = { $count ->
    [one] Un ControlNet : un cinquième des paramètres du débruiteur, près de la moitié pour un UNet.
   *[other] { $count } ControlNets : chacun un cinquième des paramètres du débruiteur, près de la moitié pour un UNet.
}
size-image-text = Le prompt qui traverse l’encodeur de texte, une couche à la fois.
size-image-step = { $sequences ->
    [one] { $tokens } tokens × { $hidden } de largeur, avec ce qu’une couche en tire.
   *[other] { $sequences } × { $tokens } tokens × { $hidden } de largeur, avec ce qu’une couche en tire.
}
size-image-decode = { $frames ->
    [one] { $width }×{ $height } pixels × { $elements } éléments dans la couche la plus large du décodeur.
   *[other] { $width }×{ $height } pixels × { $frames } images décodées à la fois × { $elements } éléments dans la couche la plus large du décodeur.
}
size-image-decode-tiled = { $frames ->
    [one] Des tuiles de { $tile } pixels de côté × { $elements } éléments dans la couche la plus large du décodeur, et l’image entière.
   *[other] Des tuiles de { $tile } pixels de côté × { $frames } images décodées à la fois × { $elements } éléments dans la couche la plus large du décodeur, et toutes les images.
}
size-image-cache = Des blocs libérés que PyTorch garde pour les réutiliser. S’il manque de place, il en rend une partie.

# La ligne de commande

size-usage = Donnez un lien, tel que la page le fait : `vramfit size 'v=1&m=qwen3-8b&q=q4_k_m&c=32768&g=rtx-4090'`
size-no-model = Le lien ne nomme aucun modèle à dimensionner. Donnez-en un avec m=, ou ses paramètres avec p=8b.
size-range = { $spread ->
    [none] { $mid }
   *[some] { $mid } (de { $low } à { $high })
}
size-line = { $name } : { size-range }
size-stage = { $fullest ->
    [yes] { size-stage-name }, l’étape la plus gourmande : { size-range }
   *[no] { size-stage-name } : { size-range }
}
size-total = Total : { size-range }
size-verdict = { $fits ->
    [yes] Cela tient
    [tight] Cela tient peut-être
   *[no] Cela ne tient pas
} sur { $count ->
    [one] une carte { $card }
   *[other] { $count } cartes { $card }
}, { $usable } utilisables.
size-placement = { $layers } des { $of } couches sur la carte, soit { $percent } % des poids et du cache ; { $host } en mémoire système
size-solved = { size-lever } : { $high } à coup sûr, { $mid } au milieu de la fourchette
