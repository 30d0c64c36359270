# Ce qu’un champ numérique dit de la saisie.

number-empty = Saisissez un nombre.
number-unreadable = « { $seen } » n’est pas un nombre lisible ici. Écrivez par exemple 24, 1,5, 32 768 ou 32k.
number-negative = « { $seen } » est négatif. Saisissez un nombre supérieur ou égal à zéro.
number-not-whole = « { $seen } » n’est pas un nombre entier. Saisissez-le sans décimales.
number-too-large = « { $seen } » est trop grand pour le calcul. Vérifiez l’unité et les zéros.
