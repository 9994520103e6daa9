package wddm_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/budget/wddm"
)

func TestParse(t *testing.T) {
	p, err := wddm.Parse("article-video, total=10GiB ,others=0.5GB,segment=both,reclaim=2.5,sticky=off,card=demo_1,pressure=1GB@5s+10s,pressure=1@0,seed=9,in-flight=3,charge-large=1.1")
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != 10<<30 || p.Others != 5e8 || p.Segment != wddm.Both || p.Reclaim != 2500*time.Millisecond || p.Sticky ||
		p.Card != "demo_1" || p.Clock != wddm.WallClock || p.Seed != 9 || p.InFlight != 3 || p.ChargeLarge != 1.1 {
		t.Errorf("%+v", p)
	}
	if want := []wddm.Pressure{{1e9, 5 * time.Second, 10 * time.Second}, {1, 0, 0}}; !reflect.DeepEqual(p.Pressure, want) {
		t.Errorf("%v", p.Pressure)
	}
	// What is given wins over what the profile has.
	if p, err := wddm.Parse("article-video,budget=7GB"); err != nil || p.Headroom != 0 || p.Budget != 7e9 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := wddm.Parse("article-model,headroom=1GB"); err != nil || p.Headroom != 1e9 || p.Budget != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestParseIsStrict(t *testing.T) {
	for spec, want := range map[string]string{
		"":                                                "article-model",
		"article-vidoe":                                   `did you mean "article-video"`,
		"article_video":                                   `did you mean "article-video"`,
		"card-24g,totl=1GB":                               `did you mean "total"`,
		"card-24g,zzzzzzz=1":                              "reclaim-jitter",
		"card-24g,total":                                  "key=value",
		"card-24g,":                                       "key=value",
		"card-24g,total=1,total=2":                        "twice",
		"card-24g,total=24G":                              "GiB",
		"card-24g,total=0":                                "needs memory",
		"card-24g,total=1GB":                              "more than the card",
		"card-24g,segment=remote":                         "nonlocal",
		"card-24g,mode=baalast":                           "ballast",
		"card-24g,sticky=yes":                             "on nor off",
		"card-24g,card=../x":                              "letters",
		"card-24g,card=x,clock=media":                     "clock=wall",
		"card-24g,reclaim=soon":                           "10s",
		"card-24g,reclaim=-1s":                            "between 0",
		"card-24g,reclaim=NaN":                            "not a time",
		"card-24g,pressure=1GB":                           "BYTES@T+D",
		"card-24g,pressure=1GB@1s+0s":                     "no duration",
		"card-24g,budget=1GB,headroom=1GB":                "exclude",
		"card-24g,budget=0":                               "neither budget nor headroom",
		"card-24g,in-flight=0":                            "1 to 10000",
		"card-24g,managed=NaN":                            "0 to 16",
		"card-24g,charge-small=2":                         "above charge-large",
		"card-24g,seed=-1":                                "whole number",
		"card-24g,ram=1GB,ram-others=2GB":                 "ram",
		"card-24g,segment=nonlocal,ram=0":                 "needs shared-total",
		"nonlocal-32g,shared-total=1GB":                   "shared-total",
		"card-24g,pressure=9999TB@1":                      "1 PiB",
		"card-24g" + strings.Repeat(",pressure=1@1", 101): "100 pressures",
	} {
		if p, err := wddm.Parse(spec); err == nil {
			t.Errorf("%q is %+v", spec, p)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q does not say %q", spec, err, want)
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, p := range wddm.Profiles() {
		got, err := wddm.Parse(p.Profile)
		if err != nil || !reflect.DeepEqual(got, p.Params) || p.Summary == "" || got.String() != p.Profile {
			t.Errorf("%s: %+v, %v", p.Profile, got, err)
		}
	}
	if len(wddm.Profiles()) != 4 || len(wddm.NotModelled()) == 0 || len(wddm.Help()) < 20 {
		t.Error("something is missing")
	}
}

// Whatever is given, there is an error or a card that can be written and read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"article-model", "article-video,headroom=1GB", "card-24g,pressure=1GB@5s+10s,pressure=2@3",
		"nonlocal-32g,card=x,seed=18446744073709551615", "article-model,resident=0,reclaim=1e3,managed=.5,budget=7GB,clock=wall", "x,y=z,,=,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := wddm.Parse(s)
		if err != nil {
			return
		}
		again, err := wddm.Parse(p.String())
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%q is %+v, written %q, which is %+v, %v", s, p, p.String(), again, err)
		}
		c, err := wddm.Emulate(&fakeDevice{}, withoutFiles(p), wddm.Options{})
		if err != nil {
			return // a backend is missing, or the context does not fit
		}
		defer c.Close()
		if _, err := c.Read(nil); err != nil {
			t.Fatal(err)
		}
	})
}

func withoutFiles(p wddm.Params) wddm.Params {
	p.Card = ""
	return p
}
