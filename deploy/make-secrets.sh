#!/bin/sh
# Makes the secrets of compose.yaml, once, in deploy/secrets or in the folder that the first argument names. An existing
# secret stays. Files with several secrets are written again after a change of one of them, unless somebody has edited
# them: .made has what this script wrote. The folder is closed to other users of this machine, and its files are open,
# because the users inside the containers have other numbers.
set -eu
umask 022
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"
mkdir -p .made

# Letters and digits alone, which need no escape in an address or in nats.conf.
random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# A secret for each name, where there is none.
secret() { for name; do [ -s "$name" ] || random 24 > "$name"; done; }

# Writes the standard input to the file. A file that differs from the one written last is somebody's own, and stays.
write() {
  cat > ".made/$1.new"
  if [ ! -e "$1" ] || cmp -s "$1" ".made/$1"; then
    cp ".made/$1.new" "$1"
  elif ! cmp -s "$1" ".made/$1.new"; then
    echo "$folder/$1 has been edited and stays. This script would write: $folder/.made/$1.new" >&2
    return
  fi
  mv ".made/$1.new" ".made/$1"
}

secret root-token deployment-secret nats-operator nats-frontdoor nats-inventory-shard nats-catalog nats-notifier nats-route
secret mongo-root-password mongo-catalog-password mongo-keyfile

write nats-passwords.conf <<END
PARTERRE_NATS_OPERATOR: "$(cat nats-operator)"
PARTERRE_NATS_FRONTDOOR: "$(cat nats-frontdoor)"
PARTERRE_NATS_INVENTORY_SHARD: "$(cat nats-inventory-shard)"
PARTERRE_NATS_CATALOG: "$(cat nats-catalog)"
PARTERRE_NATS_NOTIFIER: "$(cat nats-notifier)"
END
# A stranger that joined as a server would be bound by no user's rights.
write nats-routes.conf <<END
authorization { user: route, password: "$(cat nats-route)" }
routes: [
  "nats://route:$(cat nats-route)@nats-1:6222"
  "nats://route:$(cat nats-route)@nats-2:6222"
  "nats://route:$(cat nats-route)@nats-3:6222"
]
END
write mongodb-url <<END
mongodb://catalog:$(cat mongo-catalog-password)@mongo-1,mongo-2,mongo-3/parterre?replicaSet=parterre
END

# The proxy's certificate, which nobody signed: put one in its place that browsers trust, with its chain and its key.
if [ ! -s certificate.pem ]; then
  name=${PARTERRE_NAME:-localhost}
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 397 -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -keyout .made/key.pem -out .made/certificate.pem 2>/dev/null ||
    { echo "A certificate needs openssl. Install it, or write $folder/certificate.pem: certificate, chain and key." >&2; exit 1; }
  cat .made/certificate.pem .made/key.pem > certificate.pem
  rm .made/certificate.pem .made/key.pem
fi
