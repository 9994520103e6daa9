module github.com/pinring/pinring

go 1.26

require (
)
