#!/bin/sh
# Rates of one UTC day into a file of JSON lines, byte for byte as they are on Kafka: files.sh BOOTSTRAP_SERVERS DAY FILE.ndjson.gz
# Needs kcat and GNU date.
set -eu
begin=$(date -u -d "$2" +%s)
kcat -b "$1" -C -t rates.normalised -o "s@${begin}000" -o "e@$((begin + 86400))000" -e -q -X isolation.level=read_committed | gzip >"$3"
