# The command line's headings.

explain-card = The card when it failed
explain-causes = Why
explain-fixes = What to do, in this order
explain-refused = Not needed here
explain-lines = Line by line
