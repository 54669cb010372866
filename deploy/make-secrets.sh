#!/bin/sh
# Makes the secrets of compose.yaml, once, in deploy/secrets or in the folder that the first argument names. An existing
# secret stays. The folder is closed to other users of this machine, and its files are open, because the users inside the
# containers have other numbers.
set -eu
umask 022
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# Letters and digits alone, which need no escape in an address or in nats.conf.
random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# A secret for each name, where there is none.
secret() { for name; do [ -s "$name" ] || random 24 > "$name"; done; }

secret root-token deployment-secret nats-operator nats-frontdoor nats-inventory-shard nats-catalog nats-notifier nats-route
secret mongo-root-password mongo-catalog-password mongo-keyfile

cat > nats-passwords.conf <<END
PARTERRE_NATS_OPERATOR: "$(cat nats-operator)"
PARTERRE_NATS_FRONTDOOR: "$(cat nats-frontdoor)"
PARTERRE_NATS_INVENTORY_SHARD: "$(cat nats-inventory-shard)"
PARTERRE_NATS_CATALOG: "$(cat nats-catalog)"
PARTERRE_NATS_NOTIFIER: "$(cat nats-notifier)"
END
# A stranger that joined as a server would be bound by no user's rights.
cat > nats-routes.conf <<END
authorization { user: route, password: "$(cat nats-route)" }
routes: [
  "nats://route:$(cat nats-route)@nats-1:6222"
  "nats://route:$(cat nats-route)@nats-2:6222"
  "nats://route:$(cat nats-route)@nats-3:6222"
]
END
echo "mongodb://catalog:$(cat mongo-catalog-password)@mongo-1,mongo-2,mongo-3/parterre?replicaSet=parterre" > mongodb-url
