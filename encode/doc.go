// Package encode turns frames into a file. What kind of file is told by the output's name:
//
//	null:            nothing: the frames are counted
//	md5: md5:FILE    a checksum per frame, as FFmpeg's framemd5 writes it, to standard output or FILE
//	- NAME.y4m       raw pictures, to standard output or NAME
//	NAME.mp4 .mkv …  encoded video, with packets of other streams copied from the input
//
// A file appears under its name only when it is complete: it is written beside it under another
// name, flushed to the disk, and renamed by Finish.
//
// A frame's pixels are not copied on their way to the encoder. The sink owns the frame from Write
// on, and releases it when the encoder has let go of it.
package encode
