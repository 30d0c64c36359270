# Files and long texts: the list beside the box, and what is said of a file that can't be read.

files-choose = Choose files
files-drop = Let go to read these files here. Nothing is sent.
files-list = Files and long texts
files-pasted = Pasted text
files-waiting = waits its turn
files-underway = Reading { $name }
files-underway-part = Reading { $name }: { $part }
files-read = { $size }, read to the end
files-model = { $size }, read as a model’s file: the calculator shows it
files-model-held = A model’s file ({ $size }): the calculator reads it when you open it.
files-unpacked = { $read }, unpacked from { $size } and read to the end
files-part = { $read } of { $size } read
files-stop = Stop
files-remove = Remove

file-empty = The file is empty. If a program was to write its log there, look whether it was started with the right path.
file-binary = This is not a text. Drop the log itself, or paste what the terminal showed.
file-picture = This is a picture or a film. Copy the text out of the terminal and paste it here.
file-packed = This is packed as { $format }. Unpack it, then drop the texts inside.
file-unreadable = The browser could not read this: it is a folder, or was moved or locked. Drop the file itself once more, or paste its text.
file-damaged = The gzip file is damaged or breaks off. What came before that was read.
file-damaged-whole = The gzip file is damaged, and nothing in it could be read. Fetch or pack it once more.
file-no-gzip = This browser can’t unpack gzip. Unpack the file, then drop the text.
file-large = { $size } is more than is read here; up to { $most } are. Drop its end: `tail -c 500M run.log > end.log`

# What is read: the list of tools and messages.

formats-title = What is read
formats-lead = { $count ->
    [one] 1 message, by the tool that prints it. What stands between its words, such as a logger’s prefixes, line breaks and colours, does not matter.
   *[other] { $count } messages, by the tool that prints them. What stands between their words, such as a logger’s prefixes, line breaks and colours, does not matter.
}
formats-count = { $count ->
    [one] 1 message
   *[other] { $count } messages
}
formats-format = Format
formats-versions = Versions
formats-sample = For example
formats-failed = This could not be loaded. Fold it, and open it again when you are online.
