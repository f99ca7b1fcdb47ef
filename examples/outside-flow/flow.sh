#!/usr/bin/env bash
# One load of a business date, as a flow of the older design makes it: nothing but curl and jq.
# Reads calls of its receiver from standard input. Needs WEIR_URL, WORKER_TOKEN, OPERATOR_TOKEN,
# and HOUSE, a directory with source.jsonl.
set -euo pipefail

job=SALES
key=2026-09-28
target="$HOUSE/target/$key.jsonl"

say() {
    printf '%s\n' "$*"
}

fail() {
    printf 'Cannot finish the flow: %s\n' "$*" >&2
    exit 1
}

# Sends a body and prints the reply; repeats what may pass by itself, and nothing else.
call() {
    local token="$1" path="$2" body="$3" reply status
    for pause in 1 2 4 8 0; do
        reply="$(curl -sS -X POST "$WEIR_URL$path" -H "Authorization: Bearer $token" \
            -H 'Content-Type: application/json' -d "$body" -w '\n%{http_code}')" || reply=$'\n000'
        status="${reply##*$'\n'}"
        case "$status" in
            000 | 5*) sleep "$pause" ;;
            *) break ;;
        esac
    done
    printf '%s' "${reply%$'\n'*}" | jq -c --arg status "$status" '. + {http: ($status | tonumber)}'
}

flow() {
    call "$WORKER_TOKEN" "$@"
}

uuid() {
    cat /proc/sys/kernel/random/uuid
}

# Holds a reply against a condition of jq.
must() {
    jq -e "$2" <<<"$1" >/dev/null || fail "$3: $1"
}

# 1. A run. The reply of the first call is lost: the second one is told which run there is.
create="$(jq -nc --arg job "$job" --arg key "$key" --arg root "$HOUSE/stage" \
    '{jobKey: $job, businessKey: $key, hdfsRoot: $root, stageTablePrefix: "stg_"}')"
flow /v1/runs "$create" >/dev/null
reply="$(flow /v1/runs "$create")"
must "$reply" '.http == 409 and .code == "DUPLICATE_ACTIVE_RUN"' "the key was not taken"
run="$(jq -r .details.runId <<<"$reply")"
at="/v1/runs/$run"
path="$HOUSE/stage/$job/run_id=$run"
mkdir -p "$path" "$HOUSE/target"
say "created $run, although a reply was lost"

# 2. The manifest: ranges of one hundred ids, and the rows of each at this moment.
manifest="$(jq -sc '
    . as $rows
    | [range(0; 400; 100) as $low | {
        partitionId: ("000" + ($low / 100 | tostring)),
        lowerBound: ($low | tostring),
        upperBound: ($low + 100 | tostring),
        upperInclusive: ($low == 300),
        expectedRowCount: ([$rows[] | select(.id >= $low and .id < $low + 100)] | length)
    }] as $parts
    | {snapshotScn: "987654321987654321", sourceCount: ($rows | length),
       sourceMinSplit: "0", sourceMaxSplit: "400", plannedPartitionCount: ($parts | length),
       sourceMetrics: {AMOUNT_SUM: ([$rows[].amount] | add | tostring)}, partitions: $parts}' \
    "$HOUSE/source.jsonl")"
reply="$(flow "$at/manifest" "$manifest")"
must "$reply" '.http == 200 and .status == "EXTRACTING"' "the manifest was refused"
say "registered $(jq -r '.dispatchPartitions | length' <<<"$reply") partitions with rows," \
    "$(jq -r .emptyPartitionCount <<<"$reply") without"

# 3. Every partition: claim, write, report. Each report arrives twice.
for part in $(jq -r '.dispatchPartitions[].partitionId' <<<"$reply"); do
    token="$(uuid)"
    claim="$(flow "$at/partitions/$part/claim" \
        "$(jq -nc --arg token "$token" '{claimToken: $token, workerNode: "shell"}')")"
    must "$claim" '.claimed' "the partition was not claimed"
    other="$(flow "$at/partitions/$part/claim" \
        "$(jq -nc --arg token "$(uuid)" '{claimToken: $token, workerNode: "other"}')")"
    must "$other" '.claimed | not' "two workers own one partition"
    file="$path/part-$part-000000.jsonl"
    jq -c --argjson order "$(jq -c .workOrder <<<"$claim")" \
        'select(.id >= ($order.lowerBound | tonumber) and .id < ($order.upperBound | tonumber))' \
        "$HOUSE/source.jsonl" >"$file"
    report="$(jq -nc --arg token "$token" --arg path "$file" --arg rows "$(wc -l <"$file")" \
        '{claimToken: $token, chunkIndex: 0, chunkCount: 1, hdfsPath: $path,
          recordCount: ($rows | tonumber)}')"
    first="$(flow "$at/partitions/$part/chunks" "$report")"
    must "$first" '.http == 200 and .partitionStatus == "SUCCESS"' "the report was refused"
    again="$(flow "$at/partitions/$part/chunks" "$report")"
    must "$again" '.http == 200 and (.validationScheduled | not)' "a report counted twice"
done
must "$first" '.validationScheduled and .runStatus == "EXTRACTED_VALIDATED"' "rows are missing"
say "read every partition; every report arrived twice and counted once"

# 4. The ledger calls the receiver. The call is worked on twice: one of them is told to go on.
IFS=' ' read -r -t 60 step body || fail "nobody called the receiver"
[ "$step" = "/validate/$job" ] || fail "the receiver was called for $step"
start="$(jq -c '{dispatchId, node: "shell"}' <<<"$body")"
order="$(flow "$at/validation/start" "$start")"
must "$order" '.started' "the validation did not start"
must "$(flow "$at/validation/start" "$start")" '.started | not' "the validation started twice"
say "validating; the same call came twice and started once"

# Measures rows and sum of files, and compares them with the source.
measure() {
    local stage="$1" count="$2"
    shift 2
    jq -sc --arg stage "$stage" --arg name "$count" --argjson order "$order" '
        def metric($name; $expected; $actual): {metricName: $name, expectedValue: $expected,
            actualValue: $actual, result: (if $expected == $actual then "PASS" else "FAIL" end)};
        {stage: $stage, metrics: [
            metric($name; $order.sourceMetrics.SOURCE_COUNT; length | tostring),
            metric("AMOUNT_SUM"; $order.sourceMetrics.AMOUNT_SUM;
                [.[].amount] | add | tostring)]}' "$@"
}

reply="$(flow "$at/validations" "$(measure STAGING STAGE_COUNT "$path"/*.jsonl)")"
must "$reply" '.failCount == 0' "what is staged differs"
must "$(flow "$at/stage-validated" '{}')" '.stageValidated' "the gate is closed"
say "what is staged is what was read"

# 5. Publishing. The statement is sent once; its answer is lost, so the flow says that it does not
# know, and nothing but a person goes on from there.
token="$(uuid)"
claim="$(jq -nc --arg token "$token" '{publishToken: $token}')"
must "$(flow "$at/publish/claim" "$claim")" '.claimed' "the right to publish was not given"
cat "$path"/*.jsonl >"$target"
must "$(flow "$at/publish/result" "$(jq -c '. + {outcome: "PUBLISH_UNKNOWN",
    errorCode: "HIVE_PUBLISH_FAILED", message: "connection reset"}' <<<"$claim")")" \
    '.runStatus == "PUBLISH_UNKNOWN"' "the outcome was refused"
must "$(flow "$at/publish/result" "$(jq -c '. + {outcome: "PUBLISHED"}' <<<"$claim")")" \
    '.code == "RUN_STATUS_MISMATCH"' "a late word was believed"
say "published, or not: the answer of the engine was lost"

# 6. An operator looks at the target and says what is there, with a reason and a finding for each
# line of the checklist that the ledger asks about.
found="$(jq -sr '"\(length) rows, sum \([.[].amount] | add)"' "$target")"
checks="$(curl -sS "$WEIR_URL$at/explain" -H "Authorization: Bearer $WORKER_TOKEN" |
    jq -c '.checklist')"
resolve="$(jq -nc --arg found "$found" --argjson checks "$checks" '{resolution: "PUBLISHED",
    reason: "the target holds every row of the staging",
    evidence: [$checks[] | {check: ., finding: $found}]}')"
must "$(flow "$at/publish-unknown/resolve" "$resolve")" '.code == "FORBIDDEN"' \
    "a flow settled its own publishing"
must "$(call "$OPERATOR_TOKEN" "$at/publish-unknown/resolve" "$resolve")" \
    '.runStatus == "PUBLISHED"' "the operator was refused"
say "an operator found $found and settled it"

# 7. What readers see is measured once more.
reply="$(flow "$at/validations" "$(measure TARGET TARGET_COUNT "$target")")"
must "$reply" '.failCount == 0' "the target differs"
must "$(flow "$at/success" '{}')" '.success' "the last gate is closed"
curl -sS "$WEIR_URL$at" -H "Authorization: Bearer $WORKER_TOKEN" |
    jq -r '"\(.status): \(.sourceCount) read, \(.stagingCount) staged, \(.targetCount) published"'
