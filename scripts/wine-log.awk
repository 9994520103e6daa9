# Judges what tests said (go test's output with -test.v) that ran under wine 8, which lacks what Go removes
# a folder with. A test that failed for nothing but its temporary folder counts as passed; whatever else a
# failed test said, or a run that did not come to its end, is a failure.
#
#	awk -v code=EXIT_CODE -f scripts/wine-log.awk LOG
/^=== (RUN|CONT|NAME|PAUSE) / { current = $3; next }
/^ *--- PASS: / { passed++ }
/^ *--- SKIP: / { skipped = skipped "\n  skipped: " $3 ":" why[$3] }
/^ *--- FAIL: / { failed[$3] = 1 }
/^ +[A-Za-z0-9_]+\.go:[0-9]+: / {
	if (/TempDir RemoveAll cleanup/) folder[current] = 1
	else if (!/\[rapid\] OK/) said[current] = 1
	text = $0
	sub(/^ +[A-Za-z0-9_]+\.go:[0-9]+:/, "", text)
	why[current] = text
}
/^(panic|fatal error|goleak|found unexpected|exit status)/ { broken = $0 }
{ last = $0 }

# parent reports whether a failed test is told of by one within it.
function parent(name,   other) {
	for (other in failed) if (index(other, name "/") == 1) return 1
	return 0
}

END {
	for (name in failed) {
		if (parent(name)) continue
		if (!folder[name] || said[name]) { print "  failed: " name; bad = 1 }
		cleanups++
	}
	if (code == 0 ? last != "PASS" : last != "FAIL" || !cleanups) broken = "it ended with exit code " code " and: " last
	if (broken == "" && passed + cleanups == 0) broken = "no test ran"
	if (broken != "") print "  " broken
	if (bad || broken != "") exit 1
	printf "PASS: %d", passed + cleanups
	if (cleanups) printf ", of which %d could not remove a folder", cleanups
	print skipped
}
