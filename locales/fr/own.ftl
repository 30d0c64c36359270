# Les fichiers du lecteur : ce qu’on y a lu d’un modèle, et pourquoi un fichier n’a pu être lu.

# JSON
json-empty = Le fichier est vide.
json-large = Ce JSON dépasse { $most } : aucun modèle n’en a de tel. Choisissez son `config.json`.
json-many = Ce JSON a plus de { $most } valeurs : aucun modèle n’en a autant. Choisissez son `config.json`.
json-deep = Ligne { $line } : des listes sont imbriquées sur plus de { $most } niveaux. Aucun outil n’écrit un tel fichier ; reprenez-le à sa source.
json-cut = Le JSON s’interrompt à la ligne { $line } : la fin manque. Copiez-le ou téléchargez-le de nouveau.
json-twice = Ligne { $line } : `{ $name }` figure deux fois dans un même objet, on ne sait quelle valeur compte. Supprimez-en une.
json-wrong = La ligne { $line } n’est pas du JSON à partir de `{ $found }`. Copiez ou téléchargez de nouveau le fichier tel quel.

# Les fichiers
file-unknown = Ce n’est pas un fichier de modèle lisible ici. Choisissez un `config.json`, un fichier GGUF ou safetensors, son `model.safetensors.index.json`, ou un workflow ComfyUI.
file-old-ggml = Ce fichier est dans un format antérieur à GGUF (août 2023), que llama.cpp ne lit plus. Procurez-vous le modèle en GGUF.
file-pickle = C’est le format propre à PyTorch ou une archive ZIP, qu’on n’ouvre pas ici. Choisissez le `config.json` du modèle, ou ses fichiers safetensors.
file-json-other = Ce JSON ne décrit aucun modèle : ce n’est ni un `config.json`, ni un index de fichiers safetensors, ni un workflow ComfyUI.
file-cut = Le fichier s’arrête après { $at }, au milieu de son en-tête. Téléchargez-le de nouveau.
file-broken = Il manque { $missing } à la fin du fichier : le téléchargement s’est interrompu. L’estimation vaut pour le fichier entier.
file-no-link = Le fichier reste sur cette machine. Un lien transmet le modèle de la liste qui lui ressemble, ou ses principaux nombres.
file-none = Aucun fichier de modèle n’a été choisi.
file-mixed = Ces fichiers appartiennent à des modèles différents. Choisissez ceux d’un seul modèle.
file-parts-missing = { $have ->
    [one] { $have } fichier de ce modèle sur { $of } a été choisi : ses poids sont calculés d’après l’architecture. Choisissez-les tous ensemble pour qu’ils soient comptés.
   *[other] { $have } fichiers de ce modèle sur { $of } ont été choisis : ses poids sont calculés d’après l’architecture. Choisissez-les tous ensemble pour qu’ils soient comptés.
}

# config.json
file-config-read = Lu dans `config.json` : { $name }, { $params } paramètres en { $layers } couches, { $format }.
file-config-weights = Lu dans `config.json` et les fichiers de poids : { $name }, { $params } paramètres en { $layers } couches, { $format } ; les poids occupent { $bytes }.
file-config-sees = Le modèle voit ou entend aussi ; cette partie n’est pas comptée et prend de quelques centaines de mégaoctets à quelques gigaoctets de plus.
file-config-other = Ce `config.json` n’est pas celui d’un modèle de langage (`{ $kind }`) : la taille cachée, les couches ou le vocabulaire manquent.
file-config-absurd = `{ $name }` est un nombre qu’aucun modèle n’a. Reprenez le fichier à sa source.

# GGUF
file-gguf-read = Lu dans le fichier GGUF : { $name }, { $params } paramètres en { $layers } couches, { $format } ; ses tenseurs occupent { $bytes }.
file-gguf-version = La version { $version } de GGUF est inconnue ; seules 1 à 3 sont lues. Rechargez la page, ou convertissez le fichier.
file-gguf-absurd = L’en-tête GGUF annonce un nombre impossible ({ $what } : { $count }). Le fichier est abîmé ; téléchargez-le de nouveau.
file-gguf-type = L’en-tête GGUF a un type inconnu ({ $type }, à `{ $name }`). Le fichier est abîmé, ou vient d’un llama.cpp plus récent ou modifié.
file-gguf-other = Ce fichier GGUF n’est pas un modèle de langage (`{ $kind }`). Choisissez le fichier du modèle lui-même.

# Safetensors
file-safetensors-read = Lu dans l’en-tête safetensors : { $name }, { $params } paramètres en { $layers } couches, { $format } ; ses tenseurs occupent { $bytes }.
file-safetensors-config = L’en-tête ne dit pas tout : experts, fenêtres et longueur maximale du contexte sont dans `config.json`. Choisissez-le avec ce fichier.
file-safetensors-header = L’en-tête de ce fichier safetensors aurait { $bytes }, dans un fichier de { $size }. Le fichier est abîmé ; téléchargez-le de nouveau.
file-safetensors-tensor = Le tenseur `{ $name }` a un type, une forme ou une place impossibles. Le fichier est abîmé ; téléchargez-le de nouveau.
file-index-size = L’index ne dit pas la taille de l’ensemble. Choisissez plutôt les fichiers safetensors.
file-index-alone = Les fichiers de cet index occupent ensemble { $bytes }. Choisissez avec lui le `config.json` du modèle, pour en connaître les couches.
file-weights = { $part ->
    [denoiser] `{ $file }` contient les poids d’un modèle d’image ou de vidéo
    [vae] `{ $file }` contient les poids d’un VAE
    [text] `{ $file }` contient les poids d’un encodeur de texte
    [lora] `{ $file }` est une LoRA
   *[other] `{ $file }` contient des poids
} : { $bytes }. Ses couches n’y figurent pas ; choisissez un `config.json`, ou un modèle de la liste.

# ComfyUI
file-workflow-empty = Ce workflow ComfyUI ne charge aucun modèle. Choisissez-en un qui charge un checkpoint ou un modèle de diffusion.
file-workflow-read = { $nodes ->
    [one] Lu dans le workflow ComfyUI, { $nodes } nœud : `{ $file }` ({ $format }).
   *[other] Lu dans le workflow ComfyUI, { $nodes } nœuds : `{ $file }` ({ $format }).
}
file-workflow-model = Aucun modèle de la liste ne répond à `{ $file }`. Choisissez celui dont il est tiré.
file-workflow-size = Le workflow tire sa taille d’une image. Saisissez-en la largeur et la hauteur.
