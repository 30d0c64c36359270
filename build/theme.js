// Sets the colours that the reader chose, before anything is drawn. It runs while the stylesheet is on its way.
try {
  const theme = localStorage.getItem("vramfit-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden.
}
