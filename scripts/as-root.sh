#!/bin/bash
# as-root.sh COMMAND...: runs COMMAND as root if that is possible without asking, else as this user.
set -eu

# Hundreds of tests start Python anew: it shall not compile all modules each time, whatever the user's shell says.
# root's caches would be in the user's way later, so they are kept elsewhere, and removed.
export PYTHONPYCACHEPREFIX
PYTHONPYCACHEPREFIX=$(mktemp -d)
unset PYTHONDONTWRITEBYTECODE
remove=(rm -rf "$PYTHONPYCACHEPREFIX")

if ((EUID == 0)); then
    as=()
elif sudo -n true 2>/dev/null; then
    as=(sudo -n env "PATH=$PATH" "PYTHONPYCACHEPREFIX=$PYTHONPYCACHEPREFIX"
        "PYTEST_ADDOPTS=-p no:cacheprovider ${PYTEST_ADDOPTS:-}")
    remove=(sudo -n "${remove[@]}")
else
    as=()
    echo "Neither root nor sudo without a password: what needs network namespaces is skipped"
fi
trap '"${remove[@]}"' EXIT
"${as[@]}" "$@"
