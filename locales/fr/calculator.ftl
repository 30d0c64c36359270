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
calc-card-total = Les programmes voient { $total } de ses { $class }.
calc-card-usable = La tâche peut en prendre { $usable }.
calc-cards = Combien

calc-more-settings = Moteur, KV cache, mémoire occupée
calc-more-training = Checkpointing, précision, partage, rang, mémoire occupée
calc-more-pictures = Déchargement, tuiles, LoRA, ControlNet, mémoire occupée
calc-engine = Moteur
calc-engine-any = non choisi
calc-k-cache = Clés en cache
calc-v-cache = Valeurs en cache
calc-held = Occupée par autre chose
calc-by-hand = Saisir l’architecture
calc-by-hand-hint = Pour un modèle absent de la liste, ou modifié. Les paramètres suffisent.
calc-params = Paramètres
calc-layers = Couches
calc-kv-heads = Têtes KV
calc-head-size = Taille de tête
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
calc-batch = Taille de lot
calc-sequence = Séquence en tokens
calc-checkpointing = Gradient checkpointing
calc-checkpointing-full = Oui : recalculer
calc-checkpointing-none = Non : tout garder
calc-precision = Précision
calc-precision-mixed = Mixte, copie maître en 32 bits
calc-precision-bf16 = Tout en bf16
calc-precision-fp32 = Tout en 32 bits
calc-loss = Perte
calc-loss-plain = Tous les logits à la fois
calc-loss-chunked = Par morceaux, ou fusionnée
calc-sharding = Partagé entre les cartes
calc-sharding-none = Rien
calc-sharding-zero1 = Optimiseur (ZeRO 1)
calc-sharding-zero2 = Et gradients (ZeRO 2)
calc-sharding-zero3 = Et poids (ZeRO 3, FSDP)
calc-rank = Rang LoRA

calc-denoiser-format = Format du débruiteur
calc-text-format = Format des encodeurs de texte
calc-width = Largeur en pixels
calc-height = Hauteur en pixels
calc-frames = Images de la vidéo
calc-images = Images ou vidéos à la fois
calc-offload = Déchargement
calc-offload-comfyui = ComfyUI, automatique
calc-offload-lowvram = ComfyUI, --lowvram
calc-offload-swap = Échange de blocs
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

calc-less = Moins : { $field }
calc-more = Plus : { $field }
number-out-of-range = Saisissez un nombre de { $least } à { $most }.

calc-none = Choisissez un modèle pour voir ce qu’il demande.
calc-need = Il faut { $need }. Choisissez une carte pour voir si cela tient.
calc-yes = Cela tient, il reste { $left }.
calc-tight = Juste : cela tient peut-être, ou il manque jusqu’à { $lack }.
calc-no = Cela ne tient pas : il manque au moins { $lack }.
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
calc-left = Marge
calc-stage = { $stage } { $need }
calc-fullest = L’étape la plus pleine, montrée ici : { $stage }. { $all }

calc-solved = Ce qui tiendrait, tout le reste inchangé
calc-solved-high = À coup sûr
calc-solved-mid = Probable
calc-nothing-fits = rien
calc-apply = Appliquer
calc-applied = En place
calc-apply-what = ({ $lever })

calc-paste-taken = D’après votre texte : { $what }.
calc-paste-offered = Votre texte dit : { $what }.
calc-paste-undo = Annuler
calc-paste-take = Reprendre

calc-compare = Comparer à un second
calc-compare-end = Finir la comparaison
calc-compared = Côte à côte
calc-sides = Lequel modifier
calc-first = Premier
calc-second = Second
calc-compare-what = Tâche
calc-compare-verdict = Verdict
calc-compare-bar = Mémoire

calc-reverse = Qu’est-ce qui tourne sur cette carte ?
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
