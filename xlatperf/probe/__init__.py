"""`xlatperf probe`: what can this host do, and what to do about what it can't. It changes and loads nothing."""
