# The static page: read by the build, shown before the program runs.
page-title = vramfit: why did the GPU run out of memory?
page-description = Paste what the terminal showed when a GPU ran out of memory, and see what happened and what to change.
page-paste-label = What the terminal showed
page-paste-placeholder = Paste the whole error here
page-boot-failed = The program could not be loaded. Reload the page; if that does not help, use a recent browser with WebAssembly enabled.
page-noscript = This page needs JavaScript and WebAssembly. Everything is computed in your browser.
