# What a number field says about what was typed.

number-empty = Type a number.
number-unreadable = “{ $seen }” can’t be read as a number here. Write it like 24, 1.5, 32,768 or 32k.
number-negative = “{ $seen }” is below zero. Type a number from zero up.
number-not-whole = “{ $seen }” is not a whole number. Type one without decimals.
number-too-large = “{ $seen }” is too large to compute with. Check the unit and the zeros.
