package encode

// nearestName is the name of the list that w was probably meant to be, empty when none is near.
func nearestName(w string, names []string) string {
	best, at := "", len(w)/3+2
	for _, n := range names {
		if d := distance(w, n); d < at {
			best, at = n, d
		}
	}
	return best
}

// distance counts the letters to change, add or remove.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
