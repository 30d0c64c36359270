//! Message ids and arguments into sentences, numbers, units and money of each language.
