"""`python -m xlatperf` is the same as `xlatperf`."""

from xlatperf.commands.app import main

if __name__ == "__main__":
    main()
