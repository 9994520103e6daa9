module github.com/pinring/pinring

go 1.26

require (
	github.com/agext/levenshtein v1.2.3
	pgregory.net/rapid v1.3.0
)
