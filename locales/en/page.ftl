# The page around its panels. The build reads the plain texts of this file into the static page, so none has arguments.

page-title = vramfit: why did the GPU run out of memory?
page-description = Paste what the terminal showed when a GPU ran out of memory: see what happened, what to change, and what fits on your card.
page-skip = Skip to the content
page-paste-label = What the terminal showed
page-paste-placeholder = Paste the whole error here, with the lines before it. Or drop the log.
page-boot-failed = The page could not start. Reload it; if that does not help, open it in a recent browser that allows WebAssembly.
page-noscript = This page computes everything in your browser, so it needs JavaScript and WebAssembly. Please allow them for this site.
page-private = Nothing you paste, drop or type leaves this page: there is no server, everything is computed in your browser.
page-language = Language
page-theme = Colours
page-theme-light = Light
page-theme-dark = Dark
page-theme-system = As the system
page-units = Units
page-units-binary = GiB (1024³ bytes)
page-units-decimal = GB (1000³ bytes)
