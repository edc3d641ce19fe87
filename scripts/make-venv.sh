#!/bin/bash
# make-venv.sh WHAT: makes .venv if there is none that works, and installs WHAT ("." or ".[dev]") into it.
set -eu
cd "$(dirname "$0")/.."

recent='sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
# What is being changed is whatever an interruption left of it: it's made anew. So is one that no Make of ours completed.
changing=.venv/.changing
if [[ -e $changing || ! -e .venv/.run ]] || ! .venv/bin/python -c "import pip, $recent" 2>/dev/null; then
    for python in /usr/bin/python3 python3 python3.11 python3.12 python3.13 ''; do
        if [[ -n $python ]] && "$python" -c "import $recent" 2>/dev/null; then
            break
        fi
    done
    if [[ -z $python ]]; then
        echo "Python 3.11 or newer with its module venv is missing"
        exit 1
    fi
    rm -rf .venv
    mkdir .venv
    touch "$changing"
    scripts/quietly.sh "Making a Python environment with $("$python" --version)" "$python" -m venv .venv
fi
touch "$changing"
scripts/quietly.sh "Installing Python packages" \
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --editable "$1"
touch .venv/.run
rm "$changing"
