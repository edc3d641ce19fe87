#!/bin/bash
# make-stage.sh: build/stage, all that `make install` puts below PREFIX, from the wheel and the Python packages that it needs.
#
#   bin/xlatperf, and the programs in siitperf's and Maptperf's place
#   lib/xlatperf/    the Python packages, engine and reference device (xlatperf/programs); nobody else's are used
#   share/           man page, completions, documentation and examples
set -eu
cd "$(dirname "$0")/.."

stage=build/stage
new=build/stage.new
packages=$new/lib/xlatperf
share=$new/share
python=.venv/bin/python
rm -rf "$stage" "$new"
mkdir -p "$new/bin" "$packages"

scripts/quietly.sh "Fetching the Python packages to install" "$python" -m pip install --quiet --disable-pip-version-check --no-input \
    --no-compile --no-warn-script-location --target "$packages" build/wheel/*.whl
rm -rf "${packages:?}/bin" "$packages/share"
# Python writes nothing of its own beside them later, which would be left when they are removed.
scripts/quietly.sh "Compiling them" "$python" -m compileall -q -j 0 --invalidation-mode unchecked-hash "$packages"

"$python" packaging/launchers.py "$new/bin"
mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d,doc/xlatperf}
"$python" -m docs.man_page "$share/man/man1/xlatperf.1"
gzip -9n "$share/man/man1/xlatperf.1"
completion() { # SHELL FILE
    _XLATPERF_COMPLETE=source_$1 .venv/bin/xlatperf | sed '/./,$!d' >"$share/$2"
}
completion bash bash-completion/completions/xlatperf
completion zsh zsh/site-functions/_xlatperf
completion fish fish/vendor_completions.d/xlatperf.fish
find README.md CHANGELOG.md LICENSE SECURITY.md examples docs -type f \( -path 'examples/*' -o -name '*.md' -o -name LICENSE \) -print0 |
    tar -c --null -T - | tar -x -C "$share/doc/xlatperf"
chmod -R u+w,go-w,a+rX "$new"
mv "$new" "$stage"
