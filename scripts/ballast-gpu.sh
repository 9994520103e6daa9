#!/bin/sh
# Shows on a machine with an NVIDIA GPU what mode=ballast does to it, as seen by another program:
# nvidia-smi samples the card's used memory while pinring fills it and runs into the driver's refusal.
# Then the same is killed with SIGKILL in the middle. Both times the card has to be as empty afterwards
# as before, and a second pinring must be refused while the first one fills the card.
#
#	scripts/ballast-gpu.sh [PINRING [INPUT [OUTDIR]]]
#
# By default bin/pinring, samples/sample.mp4 and out/ballast. CARD (default 0) is the card's number
# in nvidia-smi's order; the card should be idle. FORCE=1 fills it all the same. What was seen is left in OUTDIR:
# run.json, run.log, used.csv (a sample per line: time, MiB). The exit code is 0 when all held, 1 when
# something did not, 3 when this pinring or this machine cannot do it.
set -u
export CUDA_DEVICE_ORDER=PCI_BUS_ID # so that CUDA numbers the cards as nvidia-smi does
pinring=${1:-bin/pinring}
input=${2:-samples/sample.mp4}
out=${3:-out/ballast}
card=${CARD:-0}
profile=article-video,mode=ballast
force=
if [ "${FORCE:-}" = 1 ]; then force=--force; fi
slack=64        # MiB that may differ between before and after
headroom=2048   # MiB that are left free at most: 0.99 GB of the profile, the margin, the driver's share
status=0

cannot() { echo "ballast-gpu.sh: $*" >&2; exit 3; }
check() { # check WHAT COMMAND...
	what=$1
	shift
	if "$@"; then echo "ok      $what"; else echo "FAILED  $what"; status=1; fi
}
smi() { nvidia-smi -i "$card" --query-gpu="$1" --format=csv,noheader,nounits; }
used() { smi memory.used; }
peak() { awk -F', *' '$2 + 0 > m { m = $2 + 0 } END { print m + 0 }' "$out/used.csv"; }
empty_again() { # within a minute: the driver clears up after a process that was killed
	for _ in $(seq 600); do
		if [ "$(used)" -le $((before + slack)) ]; then return 0; fi
		sleep 0.1
	done
	return 1
}
filled() { # until the card is full; 1 when the program ends before
	while kill -0 "$1" 2>/dev/null; do
		if [ "$(used)" -ge $((total - headroom)) ]; then return 0; fi
		sleep 0.05
	done
	return 1
}
sample() { nvidia-smi -i "$card" --query-gpu=timestamp,memory.used --format=csv,noheader,nounits -lms 50 >>"$out/used.csv" & sampler=$!; }
# The article's buffers: 1080p RGB, 6,220,800 bytes for each frame.
args="--device cuda:$card --source memory --staging-format rgb24 --emulate $profile --guard off $force"
run() { "$pinring" run "$input" $args "$@"; }

command -v nvidia-smi >/dev/null || cannot "there is no nvidia-smi on this machine"
[ -x "$pinring" ] || cannot "there is no program $pinring: make build"
"$pinring" run --help 2>&1 | grep -q -- --emulate || cannot "$pinring does not know --emulate"
before=$(used) && total=$(smi memory.total) || cannot "nvidia-smi does not tell the memory of card $card"
mkdir -p "$out"
rm -f "$out"/run.json "$out"/run.log "$out"/used.csv
echo "card $card: $(smi name), driver $(smi driver_version): $before of $total MiB in use"

echo "== churn until the driver refuses"
sample
trap 'kill "$sampler" 2>/dev/null' EXIT
run --staging churn --json "$out/run.json" >"$out/run.log" 2>&1
code=$?
cat "$out/run.log"
kill "$sampler" 2>/dev/null
wait "$sampler" 2>/dev/null
if grep -qiE 'needs a CUDA device|no parameter|not supported' "$out/run.log" && [ ! -s "$out/run.json" ]; then
	cannot "$pinring does not know mode=ballast"
fi
check "exit code is 4 (it is $code)" [ "$code" -eq 4 ]
check "the JSON names the driver's call" grep -qE '"call": *"cuMemAlloc"' "$out/run.json"
check "and its result, 2" grep -qE '"code": *2([,}[:space:]]|$)' "$out/run.json"
check "nvidia-smi saw $(peak) of $total MiB in use" [ "$(peak)" -ge $((total - headroom)) ]
check "the card is as empty as before ($before MiB)" empty_again
echo "        $(used) MiB now; $(wc -l <"$out/used.csv") samples in $out/used.csv"

echo "== the same, a second one beside it, and kill -9 in the middle"
# Not through the function: the number that is killed has to be the program's, not a shell's.
"$pinring" run "$input" $args --staging reuse --frames 100000000 >"$out/killed.log" 2>&1 &
pid=$!
check "the card is full" filled "$pid"
echo "        $(used) MiB in use"
run --staging reuse --frames 1 >"$out/second.log" 2>&1
code=$?
cat "$out/second.log"
check "a second one is refused with exit code 2 (it is $code)" [ "$code" -eq 2 ]
kill -9 "$pid"
wait "$pid" 2>/dev/null
check "after kill -9 the card is as empty as before ($before MiB)" empty_again
echo "        $(used) MiB now"
run --staging reuse --frames 1 >"$out/third.log" 2>&1
code=$?
check "and can be filled again (exit code $code)" [ "$code" -eq 0 ]
check "and is as empty as before ($before MiB)" empty_again
exit $status
