# pairs.sh: how bench.sh measures; sourced by it. Two commands take turns (A B A B …), and a row of the
# table holds the medians and the pairs' ratios. Each run is a line of $csv as soon as it is over, each
# row a line of $table.

# measure PROGRAM-NAME COMMAND… runs it once: wall and CPU seconds, peak of resident memory in KiB (polled:
# the kernel's own high-water mark, so only growth in the last 20 ms can be missed), frames per second.
measure() {
	local peak=0 kib pid
	shift
	TIMEFORMAT='%R %U %S'
	{ time { "$@" </dev/null >"$temporary/stdout" 2>"$temporary/stderr" & pid=$!
		if [ "$row" = memory ]; then
			while kib=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null) && [ -n "$kib" ]; do peak=$kib; sleep 0.02; done
		fi
		wait "$pid"; echo "$? $peak" >"$temporary/status"; }; } 2>"$temporary/time"
	local wall user system status
	read -r wall user system <"$temporary/time"
	read -r status peak <"$temporary/status"
	if [ "$status" != 0 ]; then
		echo "bench: row $row: exit $status from: $*" >&2
		tail -n 3 "$temporary/stderr" >&2
		echo "| $row | | failed with exit code $status: \`$(basename "$1")\` | | | | |" >>"$table"
		return 1
	fi
	local cpu fps
	cpu=$(awk "BEGIN { print $user + $system }")
	fps=$(sed -n 's/^  "fps": \([0-9.]*\).*/\1/p' "$temporary/stdout")
	result=$wall,$cpu,$peak,$fps
}

# compare ROW TARGET MEASURE 'A' 'B': A is pinring. MEASURE: wall (ratio = B's seconds / A's), memory
# (A's peak / B's), fps (A's / B's), first (A's seconds), over (A's seconds less B's).
compare() {
	row=$1
	[[ $row =~ $ROWS ]] || return 0
	ran=$((ran + 1))
	local target=$2 kind=$3 a b result pair
	eval "a=($4) b=($5)"
	echo "$row" >&2
	for pair in $(seq 0 "$PAIRS"); do
		measure pinring "${a[@]}" || { failed=$((failed + 1)); return 0; }
		[ "$pair" = 0 ] || echo "$row,$pair,pinring,$result" >>"$csv"
		measure other "${b[@]}" || { failed=$((failed + 1)); return 0; }
		[ "$pair" = 0 ] || echo "$row,$pair,other,$result" >>"$csv"
	done
	summary "$kind" "$target" | tee -a "$table" >&2
}

# summary turns a row's lines of the CSV into a line of the table: medians, the pairs' ratios.
summary() {
	awk -F, -v row="$row" -v kind="$1" -v target="$2" '
	function sorted(v, n,   i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j-1]; j--) { t = v[j]; v[j] = v[j-1]; v[j-1] = t } }
	function median(v, n) { sorted(v, n); return n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2 }
	$1 == row { n = $2; x = kind == "memory" ? $6/1024 : kind == "fps" ? $7 : $4
		if ($3 == "pinring") { a[n] = x; ca[n] = $5 } else { b[n] = x; cb[n] = $5 } }
	END { for (i = 1; i <= n; i++) {
			r[i] = kind == "wall" ? b[i]/a[i] : kind == "first" ? a[i] : kind == "over" ? a[i]-b[i] : a[i]/b[i]
			c[i] = cb[i] / (ca[i] > 0 ? ca[i] : 1) }
		unit = kind == "memory" ? "MiB" : kind == "fps" ? "fps" : "s"
		after = kind == "first" || kind == "over" ? " s" : ""
		m = median(r, n); lo = r[1]; hi = r[n]
		printf "| %s | %s | %.4g %s | %.4g %s | **%.3f%s** | %.3f to %.3f | %.3f |\n", row, target, median(a, n), unit, median(b, n), unit, m, after, lo, hi, median(c, n) }' "$csv"
}

# spread_row ROW TARGET OTHER SPREAD makes a line of the table from what `pinring bench` measured in pairs of
# its own: OTHER and SPREAD are keys under "ring" in its JSON ($ring).
spread_row() {
	[[ $1 =~ $ROWS ]] || return 0
	ran=$((ran + 1))
	local line=
	[ ! -s "$ring" ] || line=$(awk -v row="$1" -v target="$2" -v other="\"$3\":" -v spread="\"$4\":" '
	function value(s) { gsub(/[",]/, "", s); return s + 0 }
	$1 == "\"ring\":" { inside = $2 == "{" }
	!inside { next }
	$1 == "\"fps\":" { fps = value($2) }
	$1 == other { with = value($2) }
	/^    "/ { under = $1 == spread }
	under && $1 == "\"least\":" { lo = value($2) }
	under && $1 == "\"median\":" { m = value($2) }
	under && $1 == "\"most\":" { hi = value($2) }
	/^  }/ { inside = 0 }
	END { if (m) printf "| %s | %s | %.4g fps | %.4g fps | **%.3f** | %.3f to %.3f | |\n", row, target, fps, with, m, lo, hi }' "$ring")
	[ -n "$line" ] || { failed=$((failed + 1)); line="| $1 | $2 | not measured | | | | |"; }
	echo "$line" | tee -a "$table" >&2
}
