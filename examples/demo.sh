# The commands of docs/ begin with `. examples/demo.sh`: the address, the test key and the event of the demo that
# `npm start` made (PARTERRE_DATA names its data folder, where that is another), and two short functions. For sh and bash.
[ -f "${PARTERRE_DATA:-.parterre}/demo.json" ] || echo 'No demo runs here. Start one first: npm start' >&2
demo() { node -p "require(require('path').resolve('${PARTERRE_DATA:-.parterre}', 'demo.json')).$1"; }
URL=$(demo url)
SECRET=$(demo keys.secretTest)
EVENT=$URL/v1/events/$(demo eventKey)

# A call with the demo's secret key: `api $EVENT/report`. With -d it is a POST.
api() { curl -sS -H "Authorization: Bearer $SECRET" -H 'Content-Type: application/json' "$@"; echo; }

# One field of the JSON on standard input: `… | field channel.id`.
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
