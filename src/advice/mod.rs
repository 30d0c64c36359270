//! A diagnosis into fixes, in order, each with what it saves and the exact command.
