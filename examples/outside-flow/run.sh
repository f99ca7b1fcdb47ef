#!/usr/bin/env bash
# Starts a server and a receiver, makes some rows, lets the flow load them, stops both.
# Options that name a ledger are passed on; without any it is an embedded one that goes with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

read -r -a weir <<<"${WEIR:-../../weir}"
ledger=("$@")
HOUSE="$(mktemp -d)"
export HOUSE
embedded=()
if [ "${#ledger[@]}" -eq 0 ]; then
    embedded=(--home "$HOUSE/.weir")
    ledger=("${embedded[@]}")
fi
started=()
end() {
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    if [ "${#embedded[@]}" -gt 0 ]; then
        "${weir[@]}" stop "${embedded[@]}" >/dev/null
    fi
    rm -rf "$HOUSE"
}
trap end EXIT

# Three hundred rows between 0 and 400, none of them from 200 to 300.
jq -nc 'range(0; 400) | select(. < 200 or . >= 300) | {id: ., amount: (. * 7 % 1000)}' \
    >"$HOUSE/source.jsonl"

mkfifo "$HOUSE/calls" "$HOUSE/serving"
java Receiver.java >"$HOUSE/calls" &
started+=($!)
exec 7<"$HOUSE/calls"
read -r -t 60 port <&7

WORKER_TOKEN="$("${weir[@]}" token create outside-flow --role nifi "${ledger[@]}")"
OPERATOR_TOKEN="$("${weir[@]}" token create a-person --role operator "${ledger[@]}")"
export WORKER_TOKEN OPERATOR_TOKEN

"${weir[@]}" server --port 0 --receiver "http://127.0.0.1:$port" --receiver-host 127.0.0.1 \
    "${ledger[@]}" >"$HOUSE/serving" 2>"$HOUSE/server.log" &
started+=($!)
exec 8<"$HOUSE/serving"
if ! read -r -t 120 _ _ WEIR_URL <&8; then
    cat "$HOUSE/server.log" >&2
    exit 1
fi
export WEIR_URL

./flow.sh <&7
