# Les moniteurs de GPU, le tableau de PyTorch et les journaux d’entraînement.

says-smi-banner = L’en-tête de nvidia-smi : pilote { $driver }, CUDA jusqu’à { $cuda }.
says-smi-banner-old = L’en-tête de nvidia-smi : pilote { $driver }.
says-smi-memory = { $card_used } occupés sur { $card_total }.
says-smi-unified = Ce GPU n’a pas de mémoire à lui : il partage celle du système.
says-smi-processes = Les processus qui utilisent les cartes.
says-smi-process = Le processus { $pid } ({ $process_name }) occupe { $process }.
says-smi-process-unknown = Le processus { $pid } ({ $process_name }) utilise la carte. Windows ne dit pas ce qu’il occupe ; c’est normal.
says-smi-no-processes = Aucun processus n’est listé. Dans un conteneur, ou pour les processus d’autrui, cela ne prouve rien.
says-smi-csv = La requête de nvidia-smi : une ligne par carte.
says-smi-csv-apps = La requête de nvidia-smi : une ligne par processus.
says-smi-csv-row = Une carte, en Mio là où il n’y a pas d’unité.
says-smi-csv-app = Le processus { $pid } occupe { $process }.
says-smi-query-name = La carte : { $card }.
says-smi-query-used = { $card_used } occupés ; il reste { $free }.
says-smi-query-memory = { $card_used } occupés sur { $card_total }, il reste { $free } ; le pilote garde le reste.
says-smi-list = Carte { $card_index } : { $card }.
says-smi-list-mig = Une tranche de la carte ci-dessus.
says-rocm-total = La carte { $card_index } a { $card_total }.
says-rocm-used = Carte { $card_index } : { $card_used } occupés.
says-rocm-json = { $card_used } occupés sur { $card_total }.
says-rocm-name = Carte { $card_index } : { $card }.
says-rocm-table = Le tableau de rocm-smi : des parts de la mémoire seulement.
says-rocm-percent = Carte { $card_index } : sa mémoire est occupée à { $vram_percent } %.
says-amd-memory = { says-smi-memory }
says-amd-metric = { says-smi-memory }
says-gpustat = Carte { $card_index } ({ $card }) : { $card_used } occupés sur { $card_total }.
says-gpustat-process = { $process_name } occupe { $process }.
says-rocm-csv = Le tableau de rocm-smi : la mémoire des cartes.
says-rocm-pids = { says-smi-processes }
says-amd-processes = { says-smi-processes }
says-amd-process = { says-smi-process }
says-amd-monitor = Le tableau d’amd-smi : la mémoire des cartes.
says-nvitop-processes = { says-smi-processes }
says-nvitop-memory = { says-smi-memory }
says-summary-title = Le tableau de PyTorch pour la carte { $device }.
says-summary-failures = Demandes refusées : { $failures } ; réessayées après avoir rendu la réserve : { $retries }. Avec `cudaMallocAsync`, les refus ne sont pas comptés.
says-summary-allocated = Tenseurs alloués : { $allocated } maintenant, { $peak_allocated } au pic.
says-summary-requested = Demandés par le programme : { $requested_live }.
says-summary-reserved = Détenus par PyTorch en tout : { $reserved }.
says-summary-non-releasable = Réserve qui ne peut pas être rendue : { $non_releasable }.
says-training-deepspeed = Tenseurs alloués : { $allocated }, au pic { $max_allocated } ; détenus en tout : { $reserved }.
says-training-host = RAM occupée : { $host }.
says-training-estimate = Selon l’estimation de DeepSpeed : { $per_gpu } par GPU et { $per_cpu } de RAM.
says-training-megatron = { says-training-deepspeed }
says-training-theory = Les poids et les états de l’optimiseur devraient prendre { $weights_optimizer }.
says-training-unsloth = La carte : { $card }, avec { $card_total } pour les programmes.
says-training-yolo = { $card } : il reste { $free } sur { $card_total }.
says-training-yolo-batch = Un lot de { $batch } devrait prendre { $planned } sur { $total }.

headline-monitor-list = Pas d’erreur ici : une liste de processus.
headline-monitor-devices = { $count ->
    [one] Pas d’erreur ici : l’occupation d’une carte.
   *[other] Pas d’erreur ici : l’occupation de { $count } cartes.
}
headline-monitor-processes = { $count ->
    [one] Pas d’erreur ici : ce qu’occupe un processus.
   *[other] Pas d’erreur ici : ce qu’occupent { $count } processus.
}
headline-monitor-hidden = { $used } occupés sur { $total }, sans qu’aucun processus soit listé : celui qui occupe la carte échappe à cette liste.
headline-monitor-full = { $used } occupés sur { $total } : il reste peu pour une nouvelle tâche.
headline-monitor-idle = La carte est presque vide : { $used } occupés sur { $total }.
headline-monitor-orphans = Des processus dont le parent est arrêté occupent encore { $held }.
headline-monitor-slice = La tâche voit une tranche de carte ; la mémoire de la tranche est sa limite.
headline-monitor-unified = Ce GPU partage la mémoire système : le tableau n’en donne pas de chiffre.
headline-summary = Le tableau de PyTorch : les tenseurs alloués occupent { $allocated }, l’allocateur détient { $reserved } en tout.
headline-training-log = Pas d’échec ici : les chiffres de mémoire d’un entraînement.

because-monitor-no-error = Le texte est un tableau, sans erreur.
because-monitor-dead = nvidia-smi ne peut lire le nom d’un processus arrêté ; ses enfants tournent encore.
because-monitor-slice = Le tableau liste des tranches MIG.
because-monitor-unified = `free -h` montre ce qui reste.
because-monitor-hidden = Dans un conteneur, nvidia-smi ne voit pas les noms des processus, et ceux d’autres utilisateurs peuvent être cachés.
because-monitor-idle = { $used } sur { $total } n’expliquent pas le manque ; une tâche qui a échoué a rendu sa mémoire.
because-monitor-share = Le tableau montre la mémoire de la carte presque toute occupée.
because-holder = Ce qui est listé occupe { $held }.
because-holder-vllm = vLLM occupe { $held } : il prend exprès environ 90 % de la carte au démarrage.
because-holder-ollama = Un modèle chargé occupe { $held } ; le serveur le garde quelques minutes après la dernière question.
because-holder-python = Python occupe { $held }. PyTorch garde la mémoire libérée pour la réutiliser : une part peut n’être que du cache.
because-summary = Tenseurs alloués : { $allocated } ; détenus en tout : { $reserved }.

fix-end-children = Arrêtez les processus enfants de { $pid } : des processus de chargement des données, le plus souvent.
fix-close-listed = Fermez ce qui est listé et inutile ; les compteurs disent ce que chaque programme occupe.
fix-find-hidden = Trouvez qui occupe la carte.
why-find-hidden = Hors du conteneur, ou en tant que root, le processus a un nom.
fix-nothing-monitor = Rien d’anormal dans ce tableau. Si une tâche a échoué, collez aussi son erreur.
