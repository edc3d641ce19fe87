#!/bin/bash
# as-root.sh COMMAND...: runs COMMAND as root if that is possible without asking, else as this user.
set -eu

# Hundreds of tests start Python anew: it shall not compile all modules each time, whatever the user's shell says.
unset PYTHONDONTWRITEBYTECODE

if ((EUID == 0)); then
    exec "$@"
fi
if ! sudo -n true 2>/dev/null; then
    echo "Neither root nor sudo without a password: what needs network namespaces is skipped"
    exec "$@"
fi
# root's caches would be in the user's way later, so they are kept elsewhere, and removed.
caches=$(mktemp -d)
trap 'sudo -n rm -rf "$caches"' EXIT
sudo -n env "PATH=$PATH" "PYTHONPYCACHEPREFIX=$caches" "PYTEST_ADDOPTS=-p no:cacheprovider ${PYTEST_ADDOPTS:-}" "$@"
