#!/bin/bash
# demo.sh: measures TAYGA in network namespaces of this host, or the reference device where there is no root.
set -eu
cd "$(dirname "$0")/.."

folder=campaigns/demo-$(date +%Y%m%d-%H%M%S)
if ((EUID == 0)); then
    root=()
elif sudo -n true 2>/dev/null; then
    root=(sudo -n)
else
    root=(none)
fi

status=0
if [[ ${root[*]} == none ]]; then
    echo "Neither root nor sudo without a password, so no network namespaces: measuring the reference device over memif"
    .venv/bin/xlatperf run examples/reference-siit.toml --folder "$folder" || status=$?
else
    "${root[@]}" .venv/bin/xlatperf run examples/tayga-siit.toml --folder "$folder" || status=$?
    if ((${#root[@]} > 0)); then
        "${root[@]}" chown -R "$(id -u):$(id -g)" campaigns
    fi
fi
[[ ! -f $folder/report.html ]] || echo "$PWD/$folder/report.html"
echo "Call it: .venv/bin/xlatperf --help (after \`sudo make install\`: xlatperf); your own device: docs/your-own-device.md"
exit "$status"
