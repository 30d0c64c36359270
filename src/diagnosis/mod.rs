//! Evidence into causes, ranked, each with the figures that speak for and against it.
