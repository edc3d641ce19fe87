#!/bin/bash
# make-wheel.sh: build/wheel/xlatperf-VERSION-py3-none-linux_ARCHITECTURE.whl, with engine and reference device inside.
#
# Of a copy of the sources, as setuptools leaves its own folders in them, and takes what stands there from earlier.
set -eu
cd "$(dirname "$0")/.."

folder=build/wheel
source=build/wheel.source
made=build/wheel.new
rm -rf "$folder" "$source" "$made"
mkdir -p "$source"
tar -c --exclude=__pycache__ xlatperf pyproject.toml README.md LICENSE | tar -x -C "$source"
mkdir "$source/xlatperf/programs"
install -s -m 755 build/engine/xlatperf-engine build/reference/xlatperf-reference "$source/xlatperf/programs"

scripts/quietly.sh "Making the wheel" .venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-input --no-deps \
    --wheel-dir "$made" --config-settings "--build-option=--plat-name=linux_$(uname -m)" "./$source"
rm -rf "$source"
mv "$made" "$folder"
