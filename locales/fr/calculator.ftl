# Le calculateur : ses saisies, son résultat, la comparaison, la question inverse, le lien.

calc-title = Qu’est-ce qui tient sur votre carte ?
calc-lead = Choisissez un modèle et une carte : voyez ce que demande la tâche, part par part, et jusqu’où va chaque réglage.
calc-begin = Ou partez d’un exemple :
calc-example-chat = Qwen3 32B en 4 bits sur une RTX 4090
calc-example-users = Llama 3.1 8B pour quatre utilisateurs sur une L40S
calc-example-qlora = QLoRA de Qwen3 8B sur une RTX 4090
calc-example-wan = Une vidéo Wan 2.2 en 720p, en FP8, sur une RTX 4090

calc-task = Tâche
calc-task-llm = Répondre
calc-task-train = Entraîner
calc-task-pictures = Image ou vidéo
calc-model = Modèle
calc-model-placeholder = Mots de son nom, ou 8B
calc-model-unknown = Aucun modèle ici ne s’appelle « { $seen } ». Essayez moins de mots, ou saisissez ses paramètres, par exemple 8B.
calc-model-any = tout modèle de cette taille
calc-own-choose = Ou le fichier d’un modèle
calc-own-remove = Retirer le modèle du fichier
calc-billions = { $count } Md
calc-billion = Md
calc-active = { $active } actifs
calc-format = Format des nombres
calc-bits = { $bits } bits
calc-context = Contexte en tokens
calc-users = Requêtes simultanées
calc-card = Carte
calc-card-placeholder = Nom, ou 24 Go
calc-card-unknown = Aucune carte ici ne s’appelle « { $seen } ». Essayez moins de mots, ou saisissez sa mémoire, par exemple 24 Go.
calc-card-amount = autant de mémoire, vue par les programmes
calc-card-total = Les programmes voient { $total } sur ses { $class }.
calc-card-usable = La tâche peut en prendre { $usable }.
calc-cards = Combien
calc-other-card = Cartes d’un autre type
calc-other-cards = Combien de celles-ci

calc-more-settings = Moteur, KV cache, mémoire occupée
calc-more-training = Checkpointing, précision, partage, rang, mémoire occupée
calc-more-pictures = Déchargement, tuiles, LoRA, ControlNet, mémoire occupée
calc-advanced = Avancé
calc-set = { $count } en place
calc-engine = Moteur
calc-engine-any = non choisi
calc-k-cache = Clés en cache
calc-v-cache = Valeurs en cache
calc-held = Occupée par autre chose
calc-version = Version du moteur
calc-newest = la plus récente
calc-version-unreadable = « { $seen } » n’est pas une version. Saisissez des nombres séparés par des points, comme 0.19.1, ou un build.
calc-utilisation = Part de la carte
calc-tensor-parallel = Cartes par couche
calc-pipeline = Cartes à la suite
calc-gpu-layers = Couches sur la carte
calc-cpu-experts = Couches dont les experts sont en mémoire système
calc-step-tokens = Tokens par étape
calc-sequences = Requêtes prévues
calc-eager = Sans CUDA graphs
calc-sees = Encodeur d’images chargé
calc-pool = Réserve du KV cache, d’après un journal
calc-ubatch = Micro-lot en tokens
calc-flash-attention = Flash attention
calc-unified = Un cache pour toutes les requêtes
calc-cache-on-host = KV cache en mémoire système
calc-draft = Modèle d’ébauche
calc-draft-placeholder = Aucun ; mots de son nom
calc-draft-tokens = Tokens ébauchés d’avance
calc-default = Par défaut : { $value } ({ $engine })
calc-default-from = Par défaut : { $value } ({ $engine } depuis { $since } ; avant, { $other })
calc-default-until = Par défaut : { $value } ({ $engine } avant { $since } ; ensuite, { $other })
calc-default-share-from = Par défaut : { $value } ({ $engine } depuis { $since } ; avant, { $other }, les 90 % de l’article)
calc-default-share-until = Par défaut : { $value }, les 90 % de l’article ({ $engine } avant { $since } ; ensuite, { $other })
calc-source = D’après votre texte : { $text }
calc-source-other = Votre texte dit : { $text }
calc-by-hand = Saisir l’architecture
calc-by-hand-hint = Pour un modèle absent de la liste, ou modifié. Les paramètres suffisent.
calc-params = Paramètres
calc-layers = Couches
calc-kv-heads = Têtes KV
calc-head-size = Taille de tête
calc-heads = Têtes de requête
calc-hidden = Taille cachée
calc-ffn = Taille du feed-forward
calc-vocabulary = Vocabulaire
calc-family-any = Flottants
calc-family-gguf = GGUF (llama.cpp, Ollama)
calc-family-safetensors = Checkpoints (vLLM, SGLang, transformers)
calc-family-exl = ExLlama
calc-family-mlx = MLX
calc-family-diffusers = diffusers

calc-method = Méthode
calc-method-full = Fine-tuning complet
calc-method-lora = LoRA
calc-method-qlora = QLoRA, base en 4 bits
calc-optimizer = Optimiseur
calc-optimizer-adamw = AdamW
calc-optimizer-adamw8bit = AdamW en 8 bits
calc-optimizer-adafactor = Adafactor
calc-optimizer-sgd = SGD avec inertie
calc-optimizer-lion = Lion
calc-optimizer-muon = Muon
calc-optimizer-galore = GaLore
calc-batch = Taille de lot
calc-sequence = Séquence en tokens
calc-checkpointing = Gradient checkpointing
calc-checkpointing-full = Oui : recalculer
calc-checkpointing-selective = Par opération
calc-checkpointing-none = Non : tout garder
calc-precision = Précision
calc-precision-mixed = Mixte, copie maîtresse en 32 bits
calc-precision-bf16 = Tout en bf16
calc-precision-fp32 = Tout en 32 bits
calc-precision-fp8 = Mixte, produits en FP8
calc-loss = Perte
calc-loss-plain = Tous les logits à la fois
calc-loss-chunked = Par morceaux
calc-loss-fused = Fusionnée avec la tête
calc-sharding = Partagé entre les cartes
calc-sharding-none = Rien
calc-sharding-zero1 = Optimiseur (ZeRO 1)
calc-sharding-zero2 = Et gradients (ZeRO 2)
calc-sharding-zero3 = Et les poids (ZeRO 3)
calc-sharding-fsdp = Le tout (FSDP)
calc-accumulation = Accumulation de gradient
calc-aside = En mémoire système
calc-aside-none = Rien
calc-aside-optimizer = L’optimiseur, ou ses pages
calc-aside-all = Poids et optimiseur
calc-aside-activations = Activations déchargées
calc-targets = Couches avec LoRA
calc-targets-all = Toutes les couches linéaires
calc-targets-attn = Attention
calc-targets-qv = Requêtes et valeurs
calc-targets-mlp = Feed-forward
calc-targets-head = Toutes, et la tête
calc-framework = Framework
calc-framework-hf = transformers, PEFT, TRL
calc-framework-litgpt = LitGPT
calc-framework-torchtune = torchtune
calc-framework-unsloth = Unsloth
calc-compiled = torch.compile
calc-step-in-backward = Optimiseur appliqué pendant la rétropropagation
calc-objective = Objectif
calc-objective-sft = Des textes (SFT)
calc-objective-dpo = Des préférences (DPO)
calc-on = Activé
calc-off = Désactivé
calc-rank = Rang LoRA
calc-base-format = Format de la base figée
calc-dropout = Dropout de LoRA
calc-trains-embedding = Embedding et tête entraînés en entier
calc-raises-rest = Le reste porté en 32 bits

calc-denoiser-format = Format du débruiteur
calc-text-format = Format des encodeurs de texte
calc-width = Largeur en pixels
calc-height = Hauteur en pixels
calc-frames = Images de la vidéo
calc-images = Images ou vidéos à la fois
calc-offload = Déchargement
calc-offload-comfyui = ComfyUI, automatique
calc-offload-lowvram = ComfyUI, --lowvram
calc-offload-swap = Block swap
calc-offload-none = Aucun : tout sur la carte
calc-offload-model = diffusers, par modèle
calc-offload-sequential = diffusers, par couche
calc-offload-group = diffusers, groupes de feuilles
calc-swapped = Blocs échangés
calc-text-place = Encodeurs de texte
calc-text-card = Sur la carte
calc-text-cpu = Sur le CPU, ou en cache
calc-tile = Tuiles du VAE, en pixels
calc-tile-none = Sans tuiles
calc-tile-usual = La taille propre au VAE
calc-loras = Adaptateurs LoRA
calc-control-nets = ControlNets
calc-references = Images en entrée
calc-vae-format = Format du VAE
calc-prompts = Prompts par lot (guidance)

calc-less = Moins : { $field }
calc-more = Plus : { $field }
number-out-of-range = Saisissez un nombre de { $least } à { $most }.

calc-none = Choisissez un modèle pour voir ce qu’il demande.
calc-need = Il faut { $need }. Choisissez une carte pour voir si cela tient.
calc-yes = Cela tient, il reste { $left }.
calc-tight = Juste : cela tient peut-être, ou il manque jusqu’à { $lack }.
calc-no = Cela ne tient pas : il manque au moins { $lack }.
calc-yes-asked = Cela tient en demandant toutes les couches ({ $option }) ; de lui-même, le moteur laisse { $host } en mémoire système.
calc-spills = Cela ne tient pas en entier : environ { $host } passent en mémoire système.
calc-streams = Cela tourne, mais plus lentement : jusqu’à { $host } de poids lus en mémoire système à chaque étape.
calc-of = { $cards ->
    [one] { $need } sur { $usable }, carte { $name }
   *[other] { $need } sur { $usable } pour chaque carte, { $name }
}
calc-bar = Les parts à l’échelle, face à ce que donne la carte ; les chiffres sont dans la liste qui suit.
calc-bar-usable = { $usable } utilisables
calc-basis = { $basis ->
    [exact] exact
    [measured] mesuré
   *[rule-of-thumb] règle empirique
}
calc-total = Total
calc-per-token = { $cards ->
    [one] Le KV cache prend { $size } par token de contexte : exact pour cette architecture.
   *[other] Le KV cache prend { $size } sur chaque carte par token de contexte : exact pour cette architecture.
}
calc-per-token-unsure = { $cards ->
    [one] Le KV cache prend environ { $size } par token de contexte, comme dans les modèles de cette taille.
   *[other] Le KV cache prend environ { $size } sur chaque carte par token de contexte, comme dans les modèles de cette taille.
}
calc-beyond-model = Ce modèle est prévu pour { $most } tokens de contexte. Au-delà, le moteur refuse, coupe le texte ou répond moins bien, sauf à étirer ses positions (RoPE scaling, YaRN).
calc-beyond-cards = Les parallélismes tensoriel et en pipeline demandent { $asked } cartes ; il y en a { $cards }.
calc-uneven-heads = Le moteur refuse de répartir { $heads } têtes d’attention sur { $cards } cartes.
calc-pool-holds = Le reste de la part du moteur sert de KV cache : environ { $tokens } tokens en tout ; requêtes simultanées de cette longueur : { $times }.
calc-left = Marge
calc-stage = { $stage } { $need }
calc-fullest = L’étape la plus gourmande, montrée ici : { $stage }. { $all }

calc-solved = Ce qui tiendrait, tout le reste inchangé
calc-solved-high = À coup sûr
calc-solved-mid = Probable
calc-nothing-fits = rien
calc-apply = Appliquer
calc-applied = En place
calc-apply-what = ({ $lever })

calc-placed = Où vont ses couches
calc-placed-bar = Poids et KV cache à l’échelle : d’abord sur la carte, puis en mémoire système ; la phrase qui suit donne les chiffres.
calc-placed-layers = { $layers } des { $of } couches sur la carte : { $cards } dessus, { $host } en mémoire système.
calc-placed-whole = Toutes les couches, la tête de sortie comptée pour une ; l’embedding reste en mémoire système.
calc-placed-part = Soit { $percent } des poids et du KV cache sur le GPU, comme compte « ollama ps ». Chaque mot attend le reste : { $nearly ->
    [yes] ce sera plus lent.
   *[no] comptez plusieurs fois plus de temps.
}

calc-paste-taken = D’après votre texte : { $what }.
calc-paste-offered = Votre texte dit : { $what }.
calc-paste-undo = Annuler
calc-paste-take = Reprendre

calc-compare = Comparer à une autre tâche
calc-compare-end = Finir la comparaison
calc-compared = Côte à côte
calc-sides = Laquelle modifier
calc-first = Première
calc-second = Seconde
calc-compare-what = Tâche
calc-compare-verdict = Verdict
calc-compare-bar = Mémoire

calc-reverse = Que peut faire tourner cette carte ?
calc-reverse-no-card = Choisissez d’abord une carte.
calc-reverse-count = { $count ->
    [one] { $count } modèle sur { $all } tient à coup sûr avec les réglages ci-dessus, dans le format le plus fin possible.
   *[other] { $count } modèles sur { $all } tiennent à coup sûr avec les réglages ci-dessus, chacun dans le format le plus fin possible.
}
calc-reverse-more = Voir plus
calc-reverse-take = Prendre { $name }

calc-copy-link = Copier le lien
calc-link-copied = Lien copié
calc-link = Le lien, à copier à la main

calc-table = Chaque modèle sur chaque carte
calc-table-lead = Ce qui reste de chaque carte avec les réglages ci-dessus, au milieu de la fourchette, et, là où cela tient à coup sûr, le contexte ou la taille maximale. Un clic sur un nom le reprend.
calc-table-models = Modèles dont le nom contient
calc-table-cards = Cartes dont le nom contient
calc-table-count = Modèles : { $models } ; cartes : { $cards }
calc-table-yes = tient,
calc-table-tight = juste,
calc-table-no = ne tient pas,
calc-table-longest = jusqu’à { $value }

calc-accuracy = À quel point ces chiffres sont-ils sûrs ?
calc-accuracy-lead = Chaque point est un chiffre tiré d’un journal, d’une documentation ou d’un article publics : en abscisse la mesure, en ordonnée le calcul fait ici, sa moustache étant la fourchette annoncée. Sur la droite, les deux s’accordent.
calc-accuracy-fits = Une tâche tient donc quand le haut de sa fourchette tient ; elle ne tient pas quand même le bas est de trop ; entre les deux, c’est juste.
calc-accuracy-basis = « Exact » découle de l’architecture et du format ; « mesuré » s’accorde avec des journaux ; une « règle empirique » dépend de versions et de réglages que personne n’a précisés : gardez-y de la marge.
calc-accuracy-plot = Mémoire calculée face à la mémoire mesurée, { $count } chiffres sur une échelle en puissances de dix. Ils suivent la diagonale ; le tableau donne l’erreur médiane de chaque type.
calc-accuracy-kind = Type
calc-accuracy-rows = Chiffres
calc-accuracy-median = Erreur médiane
calc-accuracy-exact = Grandeurs exactes
calc-accuracy-engine = Totaux et surcoûts des moteurs
calc-accuracy-training = Entraînement
calc-accuracy-picture = Image et vidéo
calc-accuracy-measured = mesuré
calc-accuracy-computed = calculé
