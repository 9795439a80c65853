#!/usr/bin/env bash
# certificates.sh DIR          an authority, a certificate for each broker of the cluster and one for its administrator, and passwords
# certificates.sh DIR reload   the brokers take what is in DIR now, without a restart; connections that are open stay as they are. Connections
#                              between controllers keep the former certificate until each node is restarted: before that one expires
# Run again it keeps the authority and the passwords and issues the certificates anew. An example for one machine: where there is an
# authority already, its certificates go into the same files. DIR is closed to others of this machine; what containers see is below
# DIR/mounted, for each only its own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?certificates.sh DIR [reload]}"
chmod 0700 "$1"
cd "$1"

if [ "${2:-}" = reload ]; then
  for id in 1 2 3; do
    # The same path once more makes a broker read the file anew.
    config=$(for listener in inside clients; do printf 'listener.name.%s.ssl.keystore.location=/etc/kafka/tls/own.pem,' $listener; done)
    ${COMPOSE:-docker compose} --env-file "$PWD/passwords.env" -f "$here/../compose.cluster.yaml" -f "$here/../compose.secured.yaml" exec -T "kafka-$id" \
      /opt/kafka/bin/kafka-configs.sh --bootstrap-server "kafka-$id:29092" --command-config /etc/kafka/tls/own.properties \
      --alter --entity-type brokers --entity-name "$id" --add-config "${config%,}"
  done
  exit
fi

[ -f ca.key ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=funding-observatory authority" \
  -addext keyUsage=critical,keyCertSign,cRLSign -keyout ca.key -out ca.crt 2>/dev/null

issue() {  # common name and subject alternative names
  mkdir -p "mounted/$1"
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout new.key -out new.csr 2>/dev/null
  openssl x509 -req -in new.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$2") -out new.crt 2>/dev/null
  cat new.key new.crt ca.crt >new.pem
  rm new.key new.csr new.crt
  mv new.pem "mounted/$1/own.pem"
  cp ca.crt "mounted/$1/ca.crt"
  cat >"mounted/$1/own.properties" <<P
security.protocol=SSL
ssl.keystore.type=PEM
ssl.keystore.location=/etc/kafka/tls/own.pem
ssl.truststore.type=PEM
ssl.truststore.location=/etc/kafka/tls/ca.crt
P
}
for broker in kafka-1 kafka-2 kafka-3; do issue "$broker" "DNS:$broker,DNS:localhost"; done
issue admin DNS:admin
mkdir -p mounted/services
cp ca.crt mounted/services/ca.crt

for role in ingest streams gateway team; do
  [ -f "$role.password" ] || openssl rand -hex 24 >"$role.password"
done
for role in ingest streams gateway team; do printf '%s=%s\n' "$role" "$(cat "$role.password")"; done >mounted/admin/passwords.properties
# For compose's --env-file.
for role in ingest streams gateway; do printf 'OBSERVATORY_PASSWORD_%s=%s\n' "$(printf %s "$role" | tr '[:lower:]' '[:upper:]')" "$(cat "$role.password")"; done >passwords.env
chmod -R a+rX mounted
