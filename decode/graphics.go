package decode

import "encoding/binary"

// graphics is what must be known of a packet of subtitles that are pictures.
type graphics struct {
	graphics bool
	timeless bool  // a stream of captions, not of subtitles that begin and end
	alone    bool  // it needs nothing of the packets before it
	clears   bool  // it takes from the screen what is on it
	lasts    int64 // how long it is shown at most, in microseconds; 0: until the next one
}

// describeGraphics looks into a packet, whose content may be anything.
func describeGraphics(codec string, b []byte) graphics {
	switch codec {
	case "hdmv_pgs_subtitle":
		return describePGS(b)
	case "dvb_subtitle":
		return describeDVB(b)
	case "dvd_subtitle":
		return graphics{graphics: true, alone: true, lasts: lastOfDVD(b)}
	case "xsub":
		return graphics{graphics: true, alone: true}
	case "dvb_teletext", "eia_608", "eia_708", "arib_caption":
		return graphics{timeless: true}
	}
	return graphics{}
}

// describePGS reads the presentation composition segment that a display set begins with: one byte of type,
// two of length, then width, height, rate, number, state, flags, palette and the number of objects.
func describePGS(b []byte) graphics {
	const composition, state, objects = 0x16, 10, 13
	g := graphics{graphics: true}
	if len(b) > objects && b[0] == composition {
		g.alone = b[state]&0xc0 != 0 // the start of an epoch, or a point to enter it
		g.clears = b[objects] == 0
	}
	return g
}

// describeDVB finds the page composition (EN 300 743, 7.2.2): segments have a sync byte, a type, two bytes of
// page and two of length. What follows is the time out in seconds, version and state, and the regions.
func describeDVB(b []byte) graphics {
	const sync, composition, header = 0x0f, 0x10, 6
	g := graphics{graphics: true}
	if len(b) > 2 && b[0] == 0x20 { // as in the transport stream
		b = b[2:]
	}
	for len(b) >= header && b[0] == sync {
		size := int(binary.BigEndian.Uint16(b[4:]))
		body := b[header:]
		if len(body) < size {
			break
		}
		if b[1] == composition && size >= 2 {
			g.lasts = int64(body[0]) * second
			g.alone = body[1]>>2&3 != 0
			g.clears = size == 2
		}
		b = body[size:]
	}
	return g
}

// The unit of time in subtitles of DVDs is 1024 ticks of a clock of 90 kHz.
const dvdTicks, dvdClock = 1024, 90_000

// controlsOfDVD calls f with the place of each sequence of controls: the date when it is to be carried out, the
// place of the next one (the last one's is its own), and commands.
func controlsOfDVD(b []byte, f func(date []byte)) {
	if len(b) < 4 {
		return
	}
	at := int(binary.BigEndian.Uint16(b[2:]))
	for at > 0 && at+4 <= len(b) {
		f(b[at : at+2])
		next := int(binary.BigEndian.Uint16(b[at+2:]))
		if next <= at {
			return
		}
		at = next
	}
}

// lastOfDVD is when the last controls are carried out, which take the picture from the screen, in microseconds
// after the subtitle began; 0 when nothing follows the first ones.
func lastOfDVD(b []byte) (micros int64) {
	controlsOfDVD(b, func(date []byte) {
		micros = int64(binary.BigEndian.Uint16(date)) * dvdTicks * second / dvdClock
	})
	return micros
}

// hastenDVD makes all controls that many microseconds earlier.
func hastenDVD(b []byte, micros int64) {
	by := micros * dvdClock / dvdTicks / second
	controlsOfDVD(b, func(date []byte) {
		binary.BigEndian.PutUint16(date, uint16(max(0, int64(binary.BigEndian.Uint16(date))-by)))
	})
}
