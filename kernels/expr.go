package kernels

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// expr is an arithmetic expression in the subset of FFmpeg's that sizes need: + - * / ^, parentheses,
// numbers, names, and a few functions.
type expr struct {
	eval func(vars map[string]float64) float64
}

type exprError struct {
	offset  int
	message string
}

func constant(v float64) *expr {
	return &expr{func(map[string]float64) float64 { return v }}
}

// functions by name and number of arguments.
var functions = map[string]struct {
	args int
	f    func(a []float64) float64
}{
	"min":   {2, func(a []float64) float64 { return math.Min(a[0], a[1]) }},
	"max":   {2, func(a []float64) float64 { return math.Max(a[0], a[1]) }},
	"mod":   {2, func(a []float64) float64 { return a[0] - math.Floor(a[0]/a[1])*a[1] }},
	"trunc": {1, func(a []float64) float64 { return math.Trunc(a[0]) }},
	"floor": {1, func(a []float64) float64 { return math.Floor(a[0]) }},
	"ceil":  {1, func(a []float64) float64 { return math.Ceil(a[0]) }},
	"round": {1, func(a []float64) float64 { return math.Round(a[0]) }},
	"abs":   {1, func(a []float64) float64 { return math.Abs(a[0]) }},
	"sqrt":  {1, func(a []float64) float64 { return math.Sqrt(a[0]) }},
	"gt":    {2, func(a []float64) float64 { return truth(a[0] > a[1]) }},
	"gte":   {2, func(a []float64) float64 { return truth(a[0] >= a[1]) }},
	"lt":    {2, func(a []float64) float64 { return truth(a[0] < a[1]) }},
	"lte":   {2, func(a []float64) float64 { return truth(a[0] <= a[1]) }},
	"eq":    {2, func(a []float64) float64 { return truth(a[0] == a[1]) }},
	"if": {3, func(a []float64) float64 {
		if a[0] != 0 {
			return a[1]
		}
		return a[2]
	}},
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// maxNesting bounds parentheses and signs, so that hostile text cannot exhaust the stack.
const maxNesting = 64

// compileExpr compiles s, which may use the names in vars.
func compileExpr(s string, vars []string) (*expr, *exprError) {
	p := &exprParser{s: s, vars: vars}
	e := p.sum()
	p.blanks()
	if p.err == nil && p.i < len(s) {
		p.fail(p.i, fmt.Sprintf("%q is not expected in an expression here", s[p.i:p.i+1]))
	}
	if p.err != nil {
		return nil, p.err
	}
	return e, nil
}

// exprParser is a recursive-descent parser. After the first error it only unwinds.
type exprParser struct {
	s     string
	i     int
	depth int
	vars  []string
	err   *exprError
}

func (p *exprParser) fail(at int, message string) *expr {
	if p.err == nil {
		p.err = &exprError{at, message}
	}
	p.i = len(p.s)
	return constant(math.NaN())
}

func (p *exprParser) blanks() {
	for p.i < len(p.s) && strings.IndexByte(blanks, p.s[p.i]) >= 0 {
		p.i++
	}
}

// accept takes the next character if it is one of set, else returns 0.
func (p *exprParser) accept(set string) byte {
	p.blanks()
	if p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
		return p.s[p.i-1]
	}
	return 0
}

func (p *exprParser) sum() *expr {
	e := p.product()
	for {
		op := p.accept("+-")
		if op == 0 {
			return e
		}
		e = binary2(op, e, p.product())
	}
}

func (p *exprParser) product() *expr {
	e := p.power()
	for {
		op := p.accept("*/")
		if op == 0 {
			return e
		}
		e = binary2(op, e, p.power())
	}
}

func (p *exprParser) power() *expr {
	sign := p.accept("+-")
	e := p.primary()
	for p.accept("^") != 0 {
		negative := p.accept("+-") == '-'
		x := p.primary()
		if negative {
			x = negated(x)
		}
		e = binary2('^', e, x)
	}
	if sign == '-' {
		return negated(e)
	}
	return e
}

func negated(e *expr) *expr {
	return &expr{func(v map[string]float64) float64 { return -e.eval(v) }}
}

func binary2(op byte, a, b *expr) *expr {
	return &expr{func(v map[string]float64) float64 {
		x, y := a.eval(v), b.eval(v)
		switch op {
		case '+':
			return x + y
		case '-':
			return x - y
		case '*':
			return x * y
		case '/':
			return x / y
		}
		return math.Pow(x, y)
	}}
}

func (p *exprParser) primary() *expr {
	if p.depth++; p.depth > maxNesting {
		return p.fail(p.i, "the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	if p.accept("(") != 0 {
		e := p.sum()
		if p.accept(")") == 0 {
			return p.fail(p.i, "a ) is missing")
		}
		return e
	}
	start := p.i
	for p.i < len(p.s) && wordByte(p.s[p.i]) {
		p.i++
	}
	word := p.s[start:p.i]
	switch {
	case word == "":
		return p.fail(start, "a number or a name is missing here")
	case word[0] >= '0' && word[0] <= '9' || word[0] == '.':
		return p.number(start, word)
	case p.accept("(") != 0:
		return p.call(start, word)
	}
	return p.name(start, word)
}

func wordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *exprParser) number(at int, word string) *expr {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return p.fail(at, fmt.Sprintf("%q is not a number", word))
	}
	return constant(v)
}

func (p *exprParser) name(at int, word string) *expr {
	if !contains(p.vars, word) {
		return p.fail(at, unknown("name", word, p.vars))
	}
	return &expr{func(v map[string]float64) float64 { return v[word] }}
}

func (p *exprParser) call(at int, word string) *expr {
	fn, ok := functions[word]
	if !ok {
		return p.fail(at, fmt.Sprintf("there is no function %q", word))
	}
	args := []*expr{p.sum()}
	for p.accept(",") != 0 {
		args = append(args, p.sum())
	}
	if p.accept(")") == 0 {
		return p.fail(p.i, "a ) is missing")
	}
	if len(args) != fn.args {
		return p.fail(at, fmt.Sprintf("%s takes %d arguments, not %d", word, fn.args, len(args)))
	}
	return &expr{func(v map[string]float64) float64 {
		a := make([]float64, len(args))
		for i := range args {
			a[i] = args[i].eval(v)
		}
		return fn.f(a)
	}}
}
