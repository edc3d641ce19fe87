"""The programs siitperf-tp, -lat, -pdv and mapperf-tp, -lat, -pdv: one trial each, for scripts that call these."""
