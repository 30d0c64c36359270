# The page's own labels: the frame, the paste panel, the answer.

ui-promise = Out of GPU memory? Paste what the terminal showed.
ui-lead = See what filled the card, why the request failed, and what to change, in order and with the exact line to copy.
ui-private = Read in your browser. Nothing is sent.
ui-edit = Show the whole text
ui-clear = Start over
ui-examples = No error at hand? Try one
ui-example-full = A card filled by the job
ui-example-other = Another process on the card
ui-example-pieces = Memory in pieces
ui-example-apple = Apple’s shared memory
ui-example-cut = ComfyUI, cut off
ui-theme-system = Auto
ui-language-failed = The texts of that language could not be loaded. Try again when you are online.

ui-verdict-gpu-memory = GPU memory ran out
ui-verdict-host-memory = Not GPU memory: the computer’s own
ui-verdict-shared-memory = Not GPU memory: shared memory (/dev/shm)
ui-verdict-other-limit = Not the card’s size: another limit
ui-verdict-not-memory = Not a shortage of memory
ui-verdict-no-error = No error in it
ui-verdict-unknown = Not clear yet
ui-device = GPU { $number }
ui-rank = rank { $number }
ui-times = { $times ->
    [one] printed once
   *[other] printed { $times } times
}

ui-bar = The card’s memory to scale; the table below has the figures.
ui-bar-capacity = { $size } in all
ui-bar-requested = { $size } asked for
ui-bar-requested-cut = { $size } asked for, far beyond the card →
ui-bar-spilled = The parts are { $size } more than the card has: the driver moved that much to system memory.
ui-parts = What held the card’s memory
ui-parts-part = Part
ui-parts-size = Size
ui-parts-share = Share of the card

ui-card = Card
ui-card-class = A { $class } card
ui-card-unknown = Not known
ui-card-likely = With this capacity
ui-card-others = Other cards
ui-card-candidates = { $total } is what programs see of a { $class } card, and that is normal. It may be: { $names }.
ui-processes = Who else was on it
ui-process = Process { $pid }
ui-process-own = This is my own job

ui-causes = Why
ui-for = For:
ui-against = Against:
ui-fixes = What to do, in this order
ui-refused = Not needed here
ui-copy = Copy
ui-copied = Copied
ui-copy-by-hand = Press Ctrl+C
ui-incomplete = What the text leaves open

ui-reading = Your text, line by line
ui-findings-capped = There are { $count } errors, tables and log entries in it; { $kept } were looked at one by one.
ui-lines-between = { $count ->
    [one] … 1 line
   *[other] … { $count } lines
}
ui-clauses-more = { $count ->
    [one] … 1 recognised message more
   *[other] … { $count } recognised messages more
}

# The way to the calculator; its own texts are fetched when it is opened.

calc-views = What to do
calc-view-read = Read an error
calc-view-size = Size a job
calc-coming = Loading the calculator…
calc-missing = This part of the page could not be loaded. Your entries are kept.
calc-again = Try again
calc-invitation = What would fit there? The calculator knows already: { $what }.
calc-invitation-go = Size a job for it
calc-paste-held = { $size } held by something else
calc-tokens = { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}
