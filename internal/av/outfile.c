#include "outfile.h"

#include <libavutil/avstring.h>


#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 64 << 10, STEP_MS = 50, PATIENCE_MS = 1000 };

struct pr_stream {
	int fd, own;
	int blocks; /* write() itself may wait: only small pieces, after poll */
	atomic_int hurry;
};

int pr_out_file(AVFormatContext *f, const char *path)
{
	char *url = av_asprintf("file:%s", path);
	if (!url)
		return AVERROR(ENOMEM);
	av_freep(&f->url);
	f->url = url; /* for muxers that read the file again */
	return avio_open(&f->pb, url, AVIO_FLAG_WRITE);
}

/* Waits until something can be written. */
static int wait_for_reader(pr_stream *s, int *waited)
{
	struct pollfd p = {.fd = s->fd, .events = POLLOUT};
	int r = poll(&p, 1, STEP_MS);
	if (r < 0 && errno != EINTR)
		return AVERROR(errno);
	if (r > 0)
		return 0;
	*waited = atomic_load(&s->hurry) ? *waited + STEP_MS : 0;
	return *waited >= PATIENCE_MS ? AVERROR_EXIT : AVERROR(EAGAIN);
}

static int put(void *opaque, uint8_t *buf, int size)
{
	pr_stream *s = opaque;
	int done = 0, waited = 0;
	while (done < size) {
		if (s->blocks) {
			int r = wait_for_reader(s, &waited);
			if (r == AVERROR(EAGAIN))
				continue;
			if (r < 0)
				return r;
		}
		int piece = s->blocks ? FFMIN(size - done, PIPE_BUF) : size - done;
		ssize_t n = write(s->fd, buf + done, piece);
		if (n >= 0) {
			done += n;
			waited = 0;
		} else if (errno == EAGAIN) {
			int r = wait_for_reader(s, &waited);
			if (r < 0 && r != AVERROR(EAGAIN))
				return r;
		} else if (errno != EINTR) {
			return AVERROR(errno);
		}
	}
	return size;
}

/* A pipe that we do not own is opened once more: its flags are shared with those who gave it to us,
 * and must not change. */
static void make_patient(pr_stream *s)
{
	struct stat st;
	if (fstat(s->fd, &st) || S_ISREG(st.st_mode))
		return;
	if (s->own) {
		int flags = fcntl(s->fd, F_GETFL);
		s->blocks = flags < 0 || fcntl(s->fd, F_SETFL, flags | O_NONBLOCK) < 0;
		return;
	}
	char name[32];
	snprintf(name, sizeof name, "/proc/self/fd/%d", s->fd);
	int fd = S_ISFIFO(st.st_mode) ? open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	s->blocks = fd < 0;
	if (fd >= 0) {
		s->fd = fd;
		s->own = 1;
	}
}

pr_stream *pr_out_stream(AVFormatContext *f, int fd, int own)
{
	pr_stream *s = calloc(1, sizeof *s);
	uint8_t *buf = av_malloc(BUFFER);
	if (s)
		*s = (pr_stream){.fd = fd, .own = own};
	f->pb = s && buf ? avio_alloc_context(buf, BUFFER, 1, s, NULL, put, NULL) : NULL;
	if (!f->pb) {
		free(s);
		av_free(buf);
		return NULL;
	}
	make_patient(s);
	return s;
}

void pr_stream_hurry(pr_stream *s) { atomic_store(&s->hurry, 1); }

int pr_out_close(AVFormatContext *f, pr_stream *s)
{
	int r = 0;
	if (!s)
		return avio_closep(&f->pb);
	avio_flush(f->pb);
	r = f->pb->error;
	av_freep(&f->pb->buffer);
	avio_context_free(&f->pb);
	if (s->own && close(s->fd) < 0 && r >= 0)
		r = AVERROR(errno);
	free(s);
	return r;
}

int64_t pr_io_bytes(const AVFormatContext *f) { return f->pb ? avio_tell(f->pb) : 0; }

int64_t pr_io_size(const AVFormatContext *f)
{
	int64_t at = pr_io_bytes(f), size = f->pb && f->pb->seekable ? avio_size(f->pb) : 0;
	return FFMAX(at, size);
}

int pr_io_error(const AVFormatContext *f) { return f->pb && f->pb->error < 0 ? f->pb->error : 0; }
