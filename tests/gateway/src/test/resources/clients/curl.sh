# Reads each address with curl, plain and with every coding that it was built with.
base=$1
shift
body=$(mktemp)
trap 'rm -f "$body"' EXIT
for address in "$@"; do
    for option in --silent --compressed; do
        status=$(curl --silent --show-error --globoff "$option" --output "$body" --write-out '%{http_code}' "$base$address")
        echo "$status $(sha256sum < "$body" | cut -d ' ' -f 1) $address"
    done
done
