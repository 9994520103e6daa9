package encode

import (
	"errors"
	"strings"

	"github.com/pinring/pinring/internal/av"
)

// ErrNVENC says that the card, its driver or their limits stand against encoding on the card.
var ErrNVENC = errors.New("NVENC is not usable here")

// nvencCauses translate what FFmpeg's wrapper logs. The driver reports the limit on sessions as "out
// of memory", which sends people looking for memory; and FFmpeg says nothing but "unsupported
// device" of cards without the unit.
var nvencCauses = []struct{ said, means, hint string }{
	{"Cannot load libcuda", "there is no NVIDIA driver: libcuda.so.1 does not load", "--vcodec libx264 or libx265 encode on the CPU"},
	{"Cannot load nvcuda", "there is no NVIDIA driver: nvcuda.dll does not load", "--vcodec libx264 or libx265 encode on the CPU"},
	{"Cannot load libnvidia-encode", "the driver's library libnvidia-encode.so.1 does not load",
		"install the driver's encode library (in containers: NVIDIA_DRIVER_CAPABILITIES with \"video\"), or encode on the CPU with libx264 or libx265"},
	{"does not support the required nvenc API", "the driver is older than this FFmpeg wants", "update the driver, or encode on the CPU with libx264 or libx265"},
	{"OpenEncodeSessionEx failed: out of memory", "the card runs as many encoding sessions as its driver allows; the driver calls that out of memory",
		"end other encodings on this card (consumer cards allow few at once), or encode on the CPU with libx264 or libx265"},
	{"OpenEncodeSessionEx failed: incompatible client key", "the card runs as many encoding sessions as its driver allows",
		"end other encodings on this card, or encode on the CPU with libx264 or libx265"},
	{"unsupported device", "this card has no NVENC (data-centre cards such as A100 and H100 have none)", "--vcodec libx264 or libx265 encode on the CPU"},
	{"No capable devices found", "no card here can encode this: it has no NVENC, or not for this codec, format or size",
		"--vcodec libx264 or libx265 encode on the CPU"},
	{"No NVENC capable devices found", "no card here has NVENC", "--vcodec libx264 or libx265 encode on the CPU"},
	{"cuInit(0) failed", "the NVIDIA driver finds no card", "--vcodec libx264 or libx265 encode on the CPU"},
}

// nvencError explains an NVENC encoder that did not open, nil when it is none or the cause is not
// known to be the card's.
func nvencError(output, codec string, err error) error {
	if !strings.HasSuffix(codec, "_nvenc") {
		return nil
	}
	var e *av.Error
	if !errors.As(err, &e) {
		return nil
	}
	for _, c := range nvencCauses {
		if strings.Contains(e.Detail, c.said) {
			return &Error{Output: output, What: "cannot be encoded with " + codec + ": " + c.means, Err: ErrNVENC, Hint: c.hint}
		}
	}
	return nil
}
