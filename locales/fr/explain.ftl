# Les titres de la ligne de commande.

explain-card = La carte au moment de l’échec
explain-causes = Pourquoi
explain-fixes = Que faire, dans cet ordre
explain-refused = Inutile ici
explain-lines = Ligne par ligne
