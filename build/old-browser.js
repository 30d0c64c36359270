// Only browsers that know no modules run this: they can't run the program either.
document.getElementById("boot-failed").hidden = false;
