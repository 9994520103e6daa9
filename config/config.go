package config

import "time"

// Config is all settings, grouped by the part of the program that they speak to. It is plain data
// and safe to copy.
type Config struct {
	Device  Device
	Input   Input
	Filter  Filter
	Staging Staging
	Budget  Budget
	Output  Output
	Batch   Batch
	Talk    Talk
}

// Device says what processes the frames.
type Device struct {
	Want Text // auto, cpu, cuda, cuda:N
}

// Input says what is read and how it is decoded.
type Input struct {
	Source       Text          // file, memory
	Stream       Text          // auto, v:N (the N-th video stream), or the index of a stream
	NoAutorotate Switch        // leave the picture as it is stored
	Frames       Limit         // stop after so many frames
	Threads      Count         // decoder threads; 0: one per core
	Start        time.Duration // of what is wanted; 0: the beginning
	Duration     time.Duration // of what is wanted; 0: to the end
	OnError      Text          // conceal, skip, repeat, abort
	Limits       Limits
}

// Limits guard against hostile and broken inputs.
type Limits struct {
	References  Switch        // the input may name other files to be opened
	Pixels      Count         // of the largest picture; 0: the program's choice
	Streams     Count         // 0: the program's choice
	ProbeSize   ByteSize      // 0: FFmpeg's choice
	Analyze     time.Duration // 0: FFmpeg's choice
	GiveUpBytes ByteSize      // read without a picture; 0: the program's choice
	GiveUpAfter time.Duration // of waiting for a pipe; 0: never
}

// Filter says what happens to each frame.
type Filter struct {
	Chain Text // in FFmpeg's filter syntax; empty: nothing
}

// Staging says how frames travel to the device and back.
type Staging struct {
	Mode      Text     // reuse, registered, mapped, managed, pageable, churn
	Direction Text     // upload, download, both: where Mode applies
	Format    Text     // native, rgb24
	Slots     Count    // page-locked slots of the decoder; 0: as many as it needs
	MaxPinned ByteSize // upper limit of page-locked memory; 0: by platform
	InFlight  Count    // frames on the device at once; 0: by device
}

// Budget says how much memory the program believes it has, and what it does about it.
type Budget struct {
	Emulate Text // profile of an emulated card with changes; empty: none
	Guard   Text // on, observe, off
	Policy  Text // wait, degrade, fail
	Force   Switch
}

// Output says how frames are encoded and written.
type Output struct {
	Codec   Text    // FFmpeg's name of the video encoder; "auto": by the output's name
	CRF     Quality // constant rate factor
	Preset  Text    // "auto": the encoder's own
	Options List    // more options of the encoder, k=v
	BitRate BitRate // of the video, bits per second; 0: the encoder's own
	Audio   Text    // FFmpeg's name of the encoder of sound, "copy"; "auto": copied where the container can hold it

	NoAudio     Switch
	NoSubtitles Switch
	StartNumber Number // of the first image of a sequence
	Yes         Switch // replace an output that exists
}

// Batch says how several inputs are processed.
type Batch struct {
	Jobs         Count  // inputs at once, 1 or more
	SkipExisting Switch // leave inputs out whose output exists
	FailFast     Switch // start no further input after one that failed
}

// Talk says what the program tells about its work.
type Talk struct {
	JSON  Text // file for the result as JSON, "-" for stdout, empty for none
	Quiet Switch
}

// Auto is the text of settings that are left to the program.
const Auto = "auto"
