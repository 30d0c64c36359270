# La page statique : lue par la construction, affichée avant que le programme tourne.
page-title = vramfit : pourquoi la mémoire du GPU n’a-t-elle pas suffi ?
page-description = Collez ce que le terminal a affiché quand la mémoire du GPU a manqué : la page dit ce qui s’est passé et quoi changer.
page-paste-label = Ce que le terminal a affiché
page-paste-placeholder = Collez ici l’erreur entière
page-boot-failed = Le programme n’a pas pu être chargé. Rechargez la page ; si cela ne suffit pas, utilisez un navigateur récent où WebAssembly est activé.
page-noscript = Cette page a besoin de JavaScript et de WebAssembly. Tout est calculé dans votre navigateur.
