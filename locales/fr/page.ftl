page-title = vramfit
