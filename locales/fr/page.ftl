# La page autour de ses panneaux. La construction met les textes simples de ce fichier dans la page statique : aucun n’a d’arguments.

page-title = vramfit : pourquoi la mémoire du GPU n’a-t-elle pas suffi ?
page-description = Collez ce qu’affichait le terminal quand la mémoire du GPU a manqué : voyez ce qui s’est passé, quoi changer et ce qui tient sur votre carte.
page-skip = Aller au contenu
page-paste-label = Ce qu’affichait le terminal
page-paste-placeholder = Collez ici toute l’erreur, avec les lignes qui la précèdent. Ou déposez le journal.
page-boot-failed = La page n’a pas pu démarrer. Rechargez-la ; si cela ne suffit pas, ouvrez-la dans un navigateur récent qui autorise WebAssembly.
page-noscript = Cette page calcule tout dans votre navigateur : il lui faut JavaScript et WebAssembly. Autorisez-les pour ce site.
page-private = Rien de ce que vous collez, déposez ou saisissez ne quitte cette page : il n’y a pas de serveur, tout est calculé dans votre navigateur.
page-language = Langue
page-theme = Couleurs
page-theme-light = Clair
page-theme-dark = Sombre
page-theme-system = Comme le système
page-units = Unités
page-units-binary = Gio (1024³ octets)
page-units-decimal = Go (1000³ octets)
