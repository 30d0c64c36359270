# Les fichiers et les longs textes : la liste près de la zone à coller, et ce qui est dit d’un fichier illisible.

files-choose = Choisir des fichiers
files-drop = Lâchez ces fichiers pour les lire ici. Rien n’est envoyé.
files-list = Fichiers et longs textes
files-pasted = Texte collé
files-waiting = attend son tour
files-underway = Lecture de { $name }
files-underway-part = Lecture de { $name } : { $part }
files-read = { $size }, lu jusqu’au bout
files-model = { $size }, lu comme fichier d’un modèle : le calculateur le montre
files-model-held = Fichier d’un modèle ({ $size }) : le calculateur le lit à son ouverture.
files-unpacked = { $read }, décompressé depuis { $size } et lu jusqu’au bout
files-part = { $read } lus sur { $size }
files-stop = Arrêter
files-remove = Retirer

file-empty = Ce fichier est vide. Si un programme devait y écrire son journal, vérifiez le chemin avec lequel il a été lancé.
file-binary = Ce n’est pas un texte. Déposez le journal lui-même, ou collez ce qu’affichait le terminal.
file-picture = C’est une image ou un film. Copiez le texte du terminal et collez-le ici.
file-packed = C’est une archive { $format }. Décompressez-la, puis déposez les textes qu’elle contient.
file-unreadable = Le navigateur n’a pas pu le lire : c’est un dossier, ou un fichier déplacé ou verrouillé. Déposez de nouveau le fichier lui-même, ou collez son texte.
file-damaged = Ce fichier gzip est abîmé ou tronqué. Ce qui précède a été lu.
file-damaged-whole = Ce fichier gzip est abîmé et rien n’a pu y être lu. Récupérez-le ou compressez-le de nouveau.
file-no-gzip = Ce navigateur ne sait pas décompresser gzip. Décompressez le fichier, puis déposez le texte.
file-large = { $size }, c’est plus que ce qui est lu ici : { $most } au plus. Déposez-en la fin : `tail -c 500M run.log > fin.log`

# Ce qui est lu : la liste des outils et de leurs messages.

formats-title = Ce qui est lu
formats-lead = { $count ->
    [one] { $count } message, classé par outil. Ce qui se glisse entre ses mots (préfixes d’un journal, sauts de ligne, couleurs) n’y change rien.
   *[other] { $count } messages, classés par outil. Ce qui se glisse entre leurs mots (préfixes d’un journal, sauts de ligne, couleurs) n’y change rien.
}
formats-count = { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
formats-format = Format
formats-versions = Versions
formats-sample = Par exemple
formats-failed = Le chargement a échoué. Repliez, puis rouvrez une fois en ligne.
