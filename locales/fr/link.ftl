# Remarques sur un lien partagé qui n'a pas pu servir en entier.

link-version = Ce lien vient de la version { $version } de son format ; cette page lit la version 1, et ce qu’elle connaît du reste.
link-value = Dans le lien, `{ $key }` vaut « { $value } », ce qui ne peut pas servir ici ; la valeur habituelle la remplace.
link-repeated = Le lien contient `{ $key }` plusieurs fois ; la première compte.
link-long = Le lien dépasse { $limit } caractères ; la suite a été laissée de côté.
