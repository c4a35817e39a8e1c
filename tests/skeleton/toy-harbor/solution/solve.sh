#!/bin/bash
set -eu
cat > add.sh <<'SCRIPT'
total=0
while read -r number; do total=$((total + number)); done < "$1"
echo "$total"
SCRIPT
[ "$(bash add.sh numbers.txt)" = 6 ]
