number-empty = x
