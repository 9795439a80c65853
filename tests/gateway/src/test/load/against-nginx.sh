#!/usr/bin/env bash
# The whole list, a 304 and a 429 of a running gateway against nginx serving the same bytes (gzip_static), in interleaved rounds.
# Needs wrk, nginx and curl; the gateway must run with observatory.gateway.traffic.exempt=127.0.0.1, and for the 429 with
# observatory.gateway.traffic.trusted-proxies=127.0.0.1. Usage: against-nginx.sh [port] [rounds] [seconds] [connections]
set -euo pipefail
port=${1:-8080} rounds=${2:-9} seconds=${3:-3} connections=${4:-16}
for tool in wrk nginx curl; do command -v $tool >/dev/null || { echo "$tool is not installed: nothing to compare with"; exit 0; }; done
dir=$(mktemp -d) nginx_port=$((port + 77))
trap 'nginx -c "$dir/nginx.conf" -s stop 2>/dev/null || true; rm -rf "$dir"' EXIT
curl -sf -H 'Accept-Encoding: gzip' -o "$dir/latest.gz" "http://127.0.0.1:$port/api/v1/latest"
gunzip -c "$dir/latest.gz" >"$dir/latest"
cat >"$dir/nginx.conf" <<CONF
worker_processes 1; pid $dir/pid; error_log $dir/error;
events { worker_connections 4096; }
http {
  access_log off; sendfile on; tcp_nopush on; gzip_static always; default_type application/json; keepalive_requests 100000000;
  client_body_temp_path $dir/a; proxy_temp_path $dir/b; fastcgi_temp_path $dir/c; uwsgi_temp_path $dir/d; scgi_temp_path $dir/e;
  server { listen 127.0.0.1:$nginx_port; location /api/v1/ { alias $dir/; } }
}
CONF
chmod 755 "$dir"; nginx -c "$dir/nginx.conf" 2>/dev/null
gateway_pid=$(ss -ltnpH "sport = :$port" | grep -o 'pid=[0-9]*' | head -1 | cut -d= -f2)
nginx_pid=$(pgrep -P "$(cat "$dir/pid")")
tag=$(curl -s -D- -o /dev/null "http://127.0.0.1:$nginx_port/api/v1/latest" | tr -d '\r' | sed -n 's/^ETag: //p')
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
# one PORT PID HEADER… prints: requests per second, CPU microseconds per request
one() {
  local at=$1 pid=$2 before after persec; shift 2
  before=$(ticks "$pid")
  persec=$(wrk -t1 -c"$connections" -d"${seconds}s" "$@" "http://127.0.0.1:$at/api/v1/latest" | awk '/Requests\/sec/ {print $2}')
  after=$(ticks "$pid")
  awk -v r="$persec" -v t=$((after - before)) -v s="$seconds" 'BEGIN {printf "%.0f %.1f\n", r, t * 10000 / (r * s)}'
}
# compare WHAT RATE-GOAL CPU-GOAL GATEWAY-FIELD NGINX-FIELD: interleaved rounds, each with one more header field or none
compare() {
  local what=$1 goal=$2 cpu_goal=$3 gateway_field=$4 nginx_field=$5 round g n
  : >"$dir/ratios"; : >"$dir/cpu"
  for round in $(seq "$rounds"); do
    read -r -a g <<<"$(one "$port" "$gateway_pid" -H 'Accept-Encoding: gzip' ${gateway_field:+-H "$gateway_field"})"
    read -r -a n <<<"$(one "$nginx_port" "$nginx_pid" -H 'Accept-Encoding: gzip' ${nginx_field:+-H "$nginx_field"})"
    echo "$what round $round: gateway ${g[0]}/s ${g[1]} µs CPU, nginx ${n[0]}/s ${n[1]} µs CPU"
    awk -v a="${g[0]}" -v b="${n[0]}" 'BEGIN {print a / b}' >>"$dir/ratios"
    awk -v a="${g[1]}" -v b="${n[1]}" 'BEGIN {print a / b}' >>"$dir/cpu"
  done
  median "$what: requests per second" "$goal" "$dir/ratios"
  median "$what: CPU for one response" "$cpu_goal" "$dir/cpu"
}
# The second lowest and second highest of nine bound the median with 96 %.
median() {
  sort -n "$3" | awk -v what="$1" -v goal="$2" '{v[NR] = $1} END {lo = NR > 8 ? 2 : 1
    printf "%s: median %.2f times nginx (from %.2f to %.2f); goal: %s\n", what, v[int((NR + 1) / 2)], v[lo], v[NR + 1 - lo], goal}'
}
echo "the list: $(stat -c %s "$dir/latest.gz") bytes of gzip"
wrk -t1 -c"$connections" -d10s -H 'Accept-Encoding: gzip' "http://127.0.0.1:$port/api/v1/latest" >/dev/null
wrk -t1 -c"$connections" -d10s -H 'Accept-Encoding: gzip' -H 'If-None-Match: *' "http://127.0.0.1:$port/api/v1/latest" >/dev/null
compare list 'at least 1.00' 'at most 1.00' '' ''
compare 304 'at least 0.80' none 'If-None-Match: *' "If-None-Match: $tag"
# A client behind a trusted proxy, over its limit: only where 127.0.0.1 is a trusted proxy. nginx answers 304 as above.
refused='X-Forwarded-For: 203.0.113.9'
for _ in $(seq 40); do status=$(curl -s -o "$dir/refused" -w '%{http_code}' -H "$refused" "http://127.0.0.1:$port/api/v1/latest?venues=all"); done
if [ "$status" = 429 ]; then compare 429 'at least 0.80' none "$refused" "If-None-Match: $tag"; else echo "429 is not compared: 127.0.0.1 is no trusted proxy of this gateway"; fi
