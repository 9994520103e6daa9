package kernels

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"  ":                                "",
		"negate":                            "negate",
		"scale=1280:720":                    "scale=w=1280:h=720",
		" scale = 1280 : 720 , negate ":     "scale=w=1280:h=720,negate",
		"scale=w=iw/2:height=-2":            "scale=w=iw/2:h=-2",
		"scale=1280x720":                    "scale=w=1280x720",
		"scale=hd720":                       "scale=w=hd720",
		"scale=s=vga":                       "scale=size=vga",
		"scale=320:h=240:flags=bilinear":    "scale=w=320:h=240:flags=bilinear",
		"scale=w='min(iw\\,640)':h=-2":      `scale=w=min(iw\,640):h=-2`,
		`scale=min(iw\,640):-2`:             `scale=w=min(iw\,640):h=-2`,
		"format=rgb24|yuv420p":              "format=pix_fmts=rgb24|yuv420p",
		"format=yuv420p10":                  "format=pix_fmts=yuv420p10",
		"negate=y+u":                        "negate=components=y+u",
		"scale=0:0:flags=bicubic+bitexact":  "scale=w=0:h=0:flags=bicubic+bitexact",
		"scale=-2:720:force_divisible_by=2": "scale=w=-2:h=720:force_divisible_by=2",
	} {
		c, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if c.String() != want {
			t.Errorf("%q is %q, want %q", text, c.String(), want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, at, message string }{
		{"scal=1280:720", "^", `unknown filter "scal": did you mean "scale"?`},
		{"negate,scal=1280:720", "       ^", `did you mean "scale"?`},
		{"scale=widht=3", "      ^", `unknown option "widht": did you mean "width"? (filter scale)`},
		{"qqqqqqqqq", "^", `unknown filter "qqqqqqqqq"; there are: eq, format, hflip, negate, scale, transpose, unsharp, vflip`},
		{"negate,", "       ^", "a filter's name is missing here"},
		{",negate", "^", "a filter's name is missing here"},
		{"[in]negate", "^", "a filter's name is missing here"},
		{"negate[out]", "      ^", `"[" belongs to filter graphs`},
		{"negate;negate", "      ^", `";" belongs to filter graphs`},
		{"scale='12:720", "      ^", "the quote that opens here is never closed"},
		{"scale=w=12:720", "           ^", "a value without a name cannot follow named options"},
		{"scale=12:h=5:width=3", "             ^", `option "w" of scale is given twice`},
		{"scale=1280", "      ^", "scale=1280:-2 keeps the aspect ratio"},
		{"scale=iw*:3", "         ^", "a number or a name is missing here"},
		{"scale=iw/ih2:3", "         ^", `unknown name "ih2": did you mean "ih"?`},
		{"scale=(iw:3", "         ^", "a ) is missing"},
		{"scale=3 3:3", "        ^", `"3" is not expected in an expression here`},
		{"scale=nope(1):3", "      ^", `there is no function "nope"`},
		{"scale=3:3:flags=lanczos", "                ^", "lanczos has no kernel; bicubic and bilinear have"},
		{"scale=3:3:flags=bicubi", "                ^", `unknown flag "bicubi": did you mean "bicubic"?`},
		{"scale=3:3:out_range=tw", "                    ^", `unknown value "tw": did you mean "tv"?`},
		{"scale=3:3:in_color_matrix=ycgco", "                          ^", "has no conversion to or from RGB"},
		{"scale=3:3:size=3x3", "               ^", "size and w or h exclude each other"},
		{"format", "^", "a pixel format is missing"},
		{"format=rgb24|yuv42p", "             ^", `unknown pixel format "yuv42p": did you mean "yuv420p"?`},
		{"format=pal8", "       ^", `unknown pixel format "pal8"`},
		{"transpose=5:up", "            ^", `unknown value "up"`},
		{"transpose=left", "          ^", `unknown value "left"`},
		{"hflip=1", "      ^", "hflip takes no more than 0 options"},
		{"negate=q", "       ^", `unknown flag "q"`},
		{"unsharp=4:5", "        ^", "4 is even; sizes are odd"},
		{"unsharp=25", "        ^", `"25" is not a whole number from 3 to 23`},
		{"unsharp=cx=15:cy=13", "           ^", "15 by 13 is too large: the halves of width and height may add up to 12, these do to 13"},
		{"unsharp=ca=5.1", "           ^", "5.1 is not from -2 to 5"},
		{"unsharp=la=0/0", "           ^", "0/0 is not from -2 to 5"},
		{"eq=eval=frame", "        ^", "evaluation per frame does not exist here"},
		{"eq=gamma=1+t/10", "           ^", "n, pos, r and t change from frame to frame"},
		{"eq=gamma=0/0", "         ^", "the value is not a number"},
		{"eq=contrat=2", "   ^", `did you mean "contrast"?`},
		{"negate=y:true:3", "              ^", "negate takes no more than 2 options"},
	} {
		_, err := Parse(c.text)
		var e *ParseError
		if !errors.As(err, &e) {
			t.Errorf("%q: no *ParseError but %v", c.text, err)
			continue
		}
		if !strings.Contains(e.Error(), c.message) {
			t.Errorf("%q: %q does not say %q", c.text, e.Error(), c.message)
		}
		if caret := strings.Split(e.Caret(), "\n"); caret[1] != c.at {
			t.Errorf("%q: the caret is at %d, want %d", c.text, len(caret[1]), len(c.at))
		}
	}
}

// escape is the inverse of token, whatever the text.
func TestEscapeIsTokensInverse(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune(`ab\':,;[]= é`+"\t\n"))).Draw(r, "s")
		for _, stops := range []string{":", "[],;"} {
			tok, rest, err := newText(escape(s, stops)).token(stops)
			if err != nil || tok.s != s || rest.s != "" {
				r.Fatalf("%q escaped is %q, which reads as %q and %q (%v)", s, escape(s, stops), tok.s, rest.s, err)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "scale=1280:720,negate", `scale=w='min(iw\,640)':h=-2`, "format=rgb24|nv12", `negate=\y`,
		"scale=((((((1)))))):--1", "scale=' 12 ':0", "x=y:z,[a]", "scale=w=1:h=2:flags=-bicubic+bilinear", "\\", "'", "=,:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			var e *ParseError
			if !errors.As(err, &e) || e.Pos < 0 || e.Pos > len(s) {
				t.Fatalf("%q: error %v has no place in the text", s, err)
			}
			_ = e.Caret()
			return
		}
		again, err := Parse(c.String())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%q is written as %q, which reads as %q (%v)", s, c.String(), again.String(), err)
		}
	})
}
