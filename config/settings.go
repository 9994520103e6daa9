package config

// setting is one row of the table that everything else follows: flags, variables, keys of the file,
// the listing and the documentation of what is allowed.
type setting struct {
	key     string // as in the file; the flag is --key, the variable PINRING_KEY
	short   string // one-letter flag, may be empty
	def     string // default, in the setting's own spelling
	kind    string // stands for the value in the help text
	allowed string // completes "allowed: …"
	usage   string
	field   func(*Config) value
	check   func(*Config) error // of the parsed value; nil: whatever parses is right
}

const modes = "reuse, registered, mapped, managed, pageable or churn"

// settings is in the order of a frame's journey, which is the order of the help text.
var settings = []setting{
	{key: "device", def: Auto, kind: "NAME", allowed: "auto, cpu, cuda or cuda:N",
		usage: "what processes the frames: auto, cpu, cuda or cuda:N",
		field: func(c *Config) value { return &c.Device.Want },
		check: checkDevice},
	{key: "source", def: "file", kind: "KIND", allowed: "file or memory",
		usage: "where frames come from: file, or memory (16 frames of the file again and again, to see the transfer path without the decoder)",
		field: func(c *Config) value { return &c.Input.Source },
		check: checkSource},
	{key: "stream", def: Auto, kind: "v:N|INDEX", allowed: "auto, v:N (the N-th video stream, from 0) or the index of a stream",
		usage: "which video stream: auto, v:N or the index of a stream",
		field: func(c *Config) value { return &c.Input.Stream },
		check: checkStream},
	{key: "no-autorotate", def: "false", allowed: "true or false",
		usage: "take pictures as they are stored; without this flag they are turned and mirrored as the file says, to be upright",
		field: func(c *Config) value { return &c.Input.NoAutorotate }},
	{key: "frames", def: unlimited, kind: "N", allowed: "all, or 1 and more",
		usage: "stop after N frames",
		field: func(c *Config) value { return &c.Input.Frames }},
	{key: "start", def: "0", kind: "T", allowed: "a time such as 90, 1.5s, 500ms or 1:02:03.25",
		usage: "begin with the first frame at T or later; T counts from the start of the file: 90, 1.5s, 500ms, 1:02:03.25",
		field: func(c *Config) value { return timeOr{&c.Input.Start, "0"} }},
	{key: "duration", def: unlimited, kind: "T", allowed: "all, or a time such as 90, 1.5s, 500ms or 1:02:03.25",
		usage: "stop when T has passed since the first frame",
		field: func(c *Config) value { return timeOr{&c.Input.Duration, unlimited} }},
	{key: "on-error", def: "conceal", kind: "POLICY", allowed: "conceal, skip, repeat or abort",
		usage: "what becomes of damage: conceal (show damaged pictures as FFmpeg repairs them), skip (leave them out), repeat (show the last whole picture in place of damaged and lost ones), abort (end with the first damage). With all but conceal one thread decodes H.264 and MPEG-4: FFmpeg knows of all damage only so",
		field: func(c *Config) value { return &c.Input.OnError },
		check: checkOnError},
	{key: "decoder-threads", def: Auto, kind: "N", allowed: "auto, or 1 to 128",
		usage: "threads of the decoder; auto: one per core",
		field: func(c *Config) value { return &c.Input.Threads },
		check: checkThreads},
	{key: "allow-references", def: "false", allowed: "true or false",
		usage: "open other files that the input names: playlists, concat lists, image sequences, QuickTime references; for inputs that you trust",
		field: func(c *Config) value { return &c.Input.Limits.References }},
	{key: "max-pixels", def: Auto, kind: "N", allowed: "auto, or 1 and more",
		usage: "largest picture that is decoded, width times height; auto: 268435456",
		field: func(c *Config) value { return &c.Input.Limits.Pixels }},
	{key: "max-streams", def: Auto, kind: "N", allowed: "auto, or 1 to 1000000",
		usage: "most streams that a file may have; auto: 1000",
		field: func(c *Config) value { return &c.Input.Limits.Streams },
		check: checkStreams},
	{key: "probe-size", def: Auto, kind: "BYTES", allowed: "auto, or 32 bytes and more",
		usage: "how much is looked at to find out what is in the file; auto: FFmpeg's 5MB",
		field: func(c *Config) value { return &c.Input.Limits.ProbeSize },
		check: checkProbeSize},
	{key: "analyze-duration", def: Auto, kind: "T", allowed: "auto, or a time such as 30 or 500ms",
		usage: "how much of the file's time is looked at for the same; auto: FFmpeg's 5 s, or what the container needs",
		field: func(c *Config) value { return timeOr{&c.Input.Limits.Analyze, Auto} }},
	{key: "give-up-bytes", def: Auto, kind: "BYTES", allowed: "auto, or a size such as 100MiB",
		usage: "give up an input of which so much was read without a picture coming of it; auto: 1GiB",
		field: func(c *Config) value { return &c.Input.Limits.GiveUpBytes }},
	{key: "give-up-after", def: never, kind: "T", allowed: "never, or a time such as 30 or 500ms",
		usage: "give up a pipe that gives nothing for T",
		field: func(c *Config) value { return timeOr{&c.Input.Limits.GiveUpAfter, never} }},
	{key: "filter", short: "f", def: "", kind: "CHAIN", allowed: "a chain in FFmpeg's filter syntax, such as scale=1280:720,negate",
		usage: "filter chain, such as scale=1280:720,negate (pinring filters lists them)",
		field: func(c *Config) value { return &c.Filter.Chain }},
	{key: "staging", def: "reuse", kind: "MODE", allowed: modes,
		usage: "memory that frames are staged in: reuse (a fixed ring of page-locked slots), registered, mapped, managed (rings of other kinds), pageable (plain memory for each frame), churn (page-locked memory allocated and freed for each frame)",
		field: func(c *Config) value { return &c.Staging.Mode },
		check: checkMode},
	{key: "churn", def: "upload", kind: "DIR", allowed: "upload, download or both",
		usage: "the direction in which --staging applies; the other one keeps its ring: upload, download or both",
		field: func(c *Config) value { return &c.Staging.Direction },
		check: checkDirection},
	{key: "staging-format", def: "native", kind: "FORMAT", allowed: "native or rgb24",
		usage: "pixel format that frames are staged in: native (the decoder's), or rgb24 (converted on the host first)",
		field: func(c *Config) value { return &c.Staging.Format },
		check: checkStagingFormat},
	{key: "slots", def: Auto, kind: "N", allowed: "auto, or 1 to 1024",
		usage: "page-locked slots that the decoder writes into; auto: as many as it needs",
		field: func(c *Config) value { return &c.Staging.Slots },
		check: checkSlots},
	{key: "max-pinned", def: Auto, kind: "BYTES", allowed: "auto, or 1MiB and more, such as 256MiB or 2GiB",
		usage: "upper limit of page-locked memory, such as 256MiB; auto: 256MiB where Windows manages the card's memory, 2GiB elsewhere, less on a host that has little",
		field: func(c *Config) value { return &c.Staging.MaxPinned },
		check: checkMaxPinned},
	{key: "in-flight", def: Auto, kind: "N", allowed: "auto, or 1 to 64",
		usage: "frames on the device at once",
		field: func(c *Config) value { return &c.Staging.InFlight },
		check: checkInFlight},
	{key: "emulate", def: "", kind: "PROFILE[,K=V...]", allowed: "a profile, and changes to it: article-video,reclaim=5s",
		usage: "act as if on a card with Windows' memory budget: article-model, article-video, card-24g, nonlocal-32g, with changes such as ,reclaim=5s",
		field: func(c *Config) value { return &c.Budget.Emulate }},
	{key: "force", def: "false", allowed: "true or false",
		usage: "with --emulate …,mode=ballast: fill a card that other processes use",
		field: func(c *Config) value { return &c.Budget.Force }},
	{key: "guard", def: "on", kind: "MODE", allowed: "on, observe or off",
		usage: "the budget guard: on (slow down before memory runs out), observe (only say so), off",
		field: func(c *Config) value { return &c.Budget.Guard },
		check: checkGuard},
	{key: "guard-policy", def: "wait", kind: "POLICY", allowed: "wait, degrade or fail",
		usage: "what the guard does when there is no headroom: wait, degrade (stage in pageable memory) or fail",
		field: func(c *Config) value { return &c.Budget.Policy },
		check: checkPolicy},
	{key: "vcodec", def: Auto, kind: "NAME", allowed: "auto, or the name of one of FFmpeg's video encoders, such as libx264",
		usage: "video encoder, such as libx264; auto: libvpx-vp9 for .webm, libx264 for all others, the image's own for .png and .jpg",
		field: func(c *Config) value { return &c.Output.Codec },
		check: checkCodec},
	{key: "crf", def: Auto, kind: "N", allowed: "auto, or 0 to 63",
		usage: "constant rate factor of the encoder: the smaller, the better and larger",
		field: func(c *Config) value { return &c.Output.CRF },
		check: checkCRF},
	{key: "preset", def: Auto, kind: "NAME", allowed: "auto, or one of the encoder's presets, such as veryfast",
		usage: "preset of the encoder, such as veryfast",
		field: func(c *Config) value { return &c.Output.Preset },
		check: checkPreset},
	{key: "vopt", def: "", kind: "K=V", allowed: "name=value of one of the encoder's options; several in a list (a comma between them in the environment)",
		usage: "another option of the encoder; may be given several times",
		field: func(c *Config) value { return &c.Output.Options },
		check: checkOptions},
	{key: "bitrate", def: Auto, kind: "N", allowed: "auto, or bits per second, such as 4M or 800k",
		usage: "bits per second of the video, such as 4M; auto: by quality (--crf)",
		field: func(c *Config) value { return &c.Output.BitRate }},
	{key: "acodec", def: Auto, kind: "NAME", allowed: "auto, copy, or the name of one of FFmpeg's audio encoders, such as aac",
		usage: "audio encoder, such as aac or libopus, or copy; auto: copied where the output can hold it, else encoded",
		field: func(c *Config) value { return &c.Output.Audio },
		check: checkAudio},
	{key: "no-audio", def: "false", allowed: "true or false",
		usage: "leave the audio out",
		field: func(c *Config) value { return &c.Output.NoAudio }},
	{key: "no-subtitles", def: "false", allowed: "true or false",
		usage: "leave the subtitles out",
		field: func(c *Config) value { return &c.Output.NoSubtitles }},
	{key: "start-number", def: "1", kind: "N", allowed: "0 and more",
		usage: "number of the first image of a sequence (out-%05d.png)",
		field: func(c *Config) value { return &c.Output.StartNumber }},
	{key: "yes", short: "y", def: "false", allowed: "true or false",
		usage: "replace an output that exists",
		field: func(c *Config) value { return &c.Output.Yes }},
	{key: "skip-existing", def: "false", allowed: "true or false",
		usage: "leave out inputs whose output exists, so that a broken-off run can be taken up again",
		field: func(c *Config) value { return &c.Batch.SkipExisting }},
	{key: "jobs", def: "1", kind: "N", allowed: "1 to 64",
		usage: "inputs that are processed at once; they share the device, the memory cap and the cores",
		field: func(c *Config) value { return &c.Batch.Jobs },
		check: checkJobs},
	{key: "fail-fast", def: "false", allowed: "true or false",
		usage: "start no further input after one that failed",
		field: func(c *Config) value { return &c.Batch.FailFast }},
	{key: "json", def: "", kind: "FILE", allowed: "a file name, or - for standard output",
		usage: "write the result as JSON to FILE, - for standard output",
		field: func(c *Config) value { return &c.Talk.JSON }},
	{key: "quiet", short: "q", def: "false", allowed: "true or false",
		usage: "say nothing but errors",
		field: func(c *Config) value { return &c.Talk.Quiet }},
}

// find returns the row of a key, nil when there is none.
func find(key string) *setting {
	for i := range settings {
		if settings[i].key == key {
			return &settings[i]
		}
	}
	return nil
}

// Keys lists the names of all settings.
func Keys() []string {
	out := make([]string, len(settings))
	for i := range settings {
		out[i] = settings[i].key
	}
	return out
}

// isList reports whether the setting takes several values.
func (s *setting) isList() bool {
	_, ok := s.field(new(Config)).(*List)
	return ok
}

// isSwitch reports whether the flag needs no value.
func (s *setting) isSwitch() bool {
	_, ok := s.field(new(Config)).(*Switch)
	return ok
}

// defaultRaw is the default as a layer would hold it.
func (s *setting) defaultRaw() []string {
	if s.isList() && s.def == "" {
		return nil
	}
	return []string{s.def}
}

// Default returns the settings that hold when nobody chooses.
func Default() Config {
	var c Config
	for i := range settings {
		s := &settings[i]
		if err := s.field(&c).set(s.defaultRaw()); err != nil {
			panic("config: the default of " + s.key + " " + err.Error())
		}
	}
	return c
}
