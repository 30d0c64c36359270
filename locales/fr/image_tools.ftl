# Où les programmes d’image mettent leurs modèles.

says-image-start = La carte a { $total_vram } et la machine { $total_ram } de RAM. Les `MB` du programme sont des Mio.
says-image-vram-state = Comment le programme partage la carte : { $vram_state }.
says-image-device = La carte : { $card }, avec l’allocateur { $allocator }.
says-image-full = Le modèle entier est sur la carte : { $loaded }, pour { $usable } utilisables.
says-image-full-short = Le modèle entier est sur la carte : { $loaded }.
says-image-part = { $loaded } du modèle sont sur la carte, { $offloaded } en mémoire système. C’est plus lent, mais ce n’est pas une erreur.
says-image-part-short = Seule une partie du modèle tient dans { $usable } ; le reste est en mémoire système. C’est plus lent, mais ce n’est pas une erreur.
says-image-staged = { $staged } de poids attendent en mémoire système et viennent sur la carte au besoin.
says-webui-footer = PyTorch utilise { $active } et détient { $reserved } ; occupation de la carte : { $card_used } sur { $card_total }.
says-forge-unload = Il faut { $target } ; il reste { $free }.
says-forge-plan = Le modèle demande { $model } et le travail { $inference }, pour { $free } libres. Sous zéro, le reste de { $remaining } annonce qu’une partie sera déchargée, pas un échec.
says-forge-swap = { $loaded } sont sur la carte, { $offloaded } en mémoire système.
says-forge-shares = Les poids peuvent prendre { $weights_limit } de la carte ; { $inference } restent pour le calcul.
says-forge-all-weights = Toute la carte, { $weights_limit }, est donnée aux poids : il ne reste rien pour le travail.
says-image-retried = La mémoire a manqué ici, et le programme a continué d’une façon plus économe. Ce n’est pas un échec.

headline-image-load = Pas d’échec ici : le texte dit où le programme a mis ses modèles.
headline-image-part = Pas d’échec : une partie du modèle est en mémoire système, plus lente.
headline-image-part-size = Pas d’échec : { $offloaded } du modèle sont en mémoire système, plus lente.

because-image-part = Le programme le dit lui-même ; les poids viennent sur la carte pendant le travail.

fix-image-part = Rien n’est cassé. Si la vitesse convient, n’y touchez pas.
fix-image-part-bits = Pour aller plus vite, prenez le modèle en FP8 ou en GGUF, afin qu’il tienne en entier.
