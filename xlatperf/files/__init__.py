"""Reading and writing files that somebody else may have made: regular ones, of a bounded size, as a whole."""
