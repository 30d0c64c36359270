# Les libellés de la page : le cadre, la zone à coller, la réponse.

ui-promise = Mémoire GPU insuffisante ? Collez ce qu’affichait le terminal.
ui-lead = Voyez ce qui occupait la carte, pourquoi la demande a échoué et quoi changer, dans l’ordre et avec la ligne exacte à copier.
ui-private = Lu dans votre navigateur. Rien n’est envoyé.
ui-edit = Voir tout le texte
ui-clear = Recommencer
ui-examples = Pas d’erreur sous la main ? Essayez-en une
ui-example-full = Une carte remplie par la tâche
ui-example-other = Un autre processus sur la carte
ui-example-pieces = Une mémoire morcelée
ui-example-apple = La mémoire partagée d’un Mac
ui-example-cut = ComfyUI, message tronqué
ui-theme-system = Auto
ui-language-failed = Les textes de cette langue n’ont pas pu être chargés. Réessayez une fois en ligne.

ui-verdict-gpu-memory = La mémoire du GPU n’a pas suffi
ui-verdict-host-memory = Pas la mémoire du GPU : celle de l’ordinateur
ui-verdict-shared-memory = Pas la mémoire du GPU : la mémoire partagée (/dev/shm)
ui-verdict-other-limit = La taille de la carte n’est pas en cause : une autre limite
ui-verdict-not-memory = Ce n’est pas un manque de mémoire
ui-verdict-no-error = Aucune erreur ici
ui-verdict-unknown = Pas encore clair
ui-device = GPU { $number }
ui-rank = rang { $number }
ui-times = { $times ->
    [one] affiché { $times } fois
   *[other] affiché { $times } fois
}

ui-bar = La mémoire de la carte, à l’échelle ; les chiffres sont dans le tableau qui suit.
ui-bar-capacity = { $size } en tout
ui-bar-requested = demande de { $size }
ui-bar-requested-cut = demande de { $size }, bien au-delà de la carte →
ui-bar-spilled = Les parts dépassent la carte de { $size } : le pilote a déplacé autant vers la mémoire système.
ui-parts = Ce qui occupait la mémoire de la carte
ui-parts-part = Part
ui-parts-size = Taille
ui-parts-share = Part de la carte

ui-card = Carte
ui-card-class = Une carte de { $class }
ui-card-unknown = Inconnue
ui-card-likely = De cette capacité
ui-card-others = Autres cartes
ui-card-candidates = Les programmes voient { $total } d’une carte de { $class }, et c’est normal. Ce peut être : { $names }.
ui-processes = Qui d’autre l’occupait
ui-process = Processus { $pid }
ui-process-own = C’est ma propre tâche

ui-causes = Pourquoi
ui-for = Pour :
ui-against = Contre :
ui-fixes = Que faire, dans cet ordre
ui-refused = Inutile ici
ui-copy = Copier
ui-copied = Copié
ui-copy-by-hand = Faites Ctrl+C
ui-incomplete = Ce que le texte laisse ouvert

ui-reading = Votre texte, ligne par ligne
ui-findings-capped = Il contient { $count } erreurs, tableaux et entrées de journal ; { $kept } ont été examinés un à un.
ui-lines-between = { $count ->
    [one] … { $count } ligne
   *[other] … { $count } lignes
}
ui-clauses-more = { $count ->
    [one] … encore { $count } message reconnu
   *[other] … encore { $count } messages reconnus
}

# The way to the calculator; its own texts are fetched when it is opened.

calc-views = Que faire
calc-view-read = Lire une erreur
calc-view-size = Dimensionner
calc-coming = Chargement du calculateur…
calc-missing = Cette partie de la page n’a pas pu être chargée. Vos saisies sont conservées.
calc-again = Réessayer
calc-invitation = Qu’est-ce qui y tiendrait ? Le calculateur connaît déjà : { $what }.
calc-invitation-go = Dimensionner une tâche
calc-paste-held = { $size } occupés par autre chose
calc-tokens = { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
