package trial

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pinring/pinring/frame"
)

// y4mCount is how many pictures of a stream are kept, fewer of large ones: the rest is not read.
const y4mCount = 16

// longestLine bounds a header.
const longestLine = 4096

var y4mFormats = map[string]frame.PixelFormat{
	"": frame.YUV420P, "420": frame.YUV420P, "420jpeg": frame.YUV420P, "420mpeg2": frame.YUV420P, "420paldv": frame.YUV420P,
	"422": frame.YUV422P, "444": frame.YUV444P, "mono": frame.Gray,
	"420p10": frame.YUV420P10, "422p10": frame.YUV422P10, "444p10": frame.YUV444P10,
}

// ReadY4M reads the first pictures of a YUV4MPEG2 stream.
func ReadY4M(r io.Reader, path string) (*Pictures, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	header, err := line(in)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: no y4m header: it is empty", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: no y4m header: %w", path, err)
	}
	p, err := parseY4M(header)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Path, p.Container = path, "yuv4mpegpipe"
	for most := p.atMost(y4mCount); len(p.Data) < most; {
		picture, err := p.readPicture(in)
		if errors.Is(err, io.EOF) {
			if len(p.Data) == 0 {
				return nil, fmt.Errorf("%s: it has a y4m header and no picture", path)
			}
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: picture %d: %w", path, len(p.Data), err)
		}
		p.Data = append(p.Data, picture)
	}
	return p, nil
}

// readPicture is io.EOF where the stream ends before a picture.
func (p *Pictures) readPicture(in *bufio.Reader) ([]byte, error) {
	mark, err := line(in)
	if err != nil {
		return nil, err
	}
	if mark != "FRAME" && !strings.HasPrefix(mark, "FRAME ") {
		return nil, fmt.Errorf("it begins with %.20q and not with FRAME", mark)
	}
	data := make([]byte, p.Layout.Size)
	if n, err := io.ReadFull(in, data); err != nil {
		return nil, fmt.Errorf("it ends after %d of %d bytes: %w", n, len(data), io.ErrUnexpectedEOF)
	}
	return data, nil
}

// line reads up to a newline, which is not returned.
func line(in *bufio.Reader) (string, error) {
	var text []byte
	for {
		b, err := in.ReadByte()
		switch {
		case err != nil:
			if len(text) > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		case b == '\n':
			return string(text), nil
		case len(text) == longestLine:
			return "", fmt.Errorf("a line is longer than %d bytes", longestLine)
		}
		text = append(text, b)
	}
}

// parseY4M reads a header such as "YUV4MPEG2 W1920 H1080 F30:1 Ip A1:1 C420jpeg".
func parseY4M(header string) (*Pictures, error) {
	words := strings.Fields(header)
	if len(words) == 0 || words[0] != "YUV4MPEG2" {
		return nil, fmt.Errorf("it begins with %.20q and not with YUV4MPEG2: this is no y4m stream", header)
	}
	var width, height int
	rate := frame.Rational{Num: 25, Den: 1}
	colour := ""
	var err error
	for _, w := range words[1:] {
		value := w[1:]
		switch w[0] {
		case 'W':
			width, err = size(value)
		case 'H':
			height, err = size(value)
		case 'F':
			rate, err = ratio(value)
		case 'C':
			colour = value
		}
		if err != nil {
			return nil, fmt.Errorf("y4m header, %.40q: %w", w, err)
		}
	}
	format, ok := y4mFormats[colour]
	if !ok {
		return nil, fmt.Errorf("y4m header: pictures in C%.20s are not known here", colour)
	}
	return newPictures(format, width, height, rate)
}

func size(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<15 {
		return 0, errors.New("want a size from 1 to 32768")
	}
	return n, nil
}

// ratio reads "30000:1001"; "0:0" is unknown, and then 25.
func ratio(text string) (frame.Rational, error) {
	a, b, ok := strings.Cut(text, ":")
	num, err1 := strconv.Atoi(a)
	den, err2 := strconv.Atoi(b)
	switch {
	case !ok || err1 != nil || err2 != nil || num < 0 || den < 0 || num > 1<<30 || den > 1<<30:
		return frame.Rational{}, errors.New("want a rate such as 30000:1001")
	case num == 0 || den == 0:
		return frame.Rational{Num: 25, Den: 1}, nil
	}
	return frame.Rational{Num: num, Den: den}, nil
}
