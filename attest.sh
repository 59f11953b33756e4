#!/usr/bin/env bash
# Sets up what is missing, builds, and runs the main job: every claim in every arithmetic at small and real sizes and on
# the checkpoint where it can be had; then see report/index.html. Arguments, if any, go to `attest` instead:
#   ./attest.sh check reparam.telescope --size tiny
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")"
. tools/setup.sh

install_packages build
build release attest
if [ $# -gt 0 ]; then
  binary=$PWD/build/release/attest
  cd "$caller"
  exec "$binary" "$@"
fi

weights=()
if fetch_weights; then
  weights=(--weights "$(weights_folder)/all-minilm-l6-v2/model.safetensors")
fi
mkdir -p report
code=0
build/release/attest check reparam --size all "${weights[@]}" \
  --html report --json report/report.json || code=$?
say "report: report/index.html"
exit $code
