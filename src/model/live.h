/* Live buffers by call stack: what a device held at one moment, and which lines of the program asked for it. Texts are ids in
 * the profile's strings, 0: not said. */
#ifndef TP_MODEL_LIVE_H
#define TP_MODEL_LIVE_H

#include <stdint.h>

/* A line of a function. */
struct tp_live_line {
	uint32_t function, file;
	int64_t number; /* 0: not said */
};

/* A place in a stack: several lines where calls were inlined, the innermost first. */
struct tp_live_place {
	uint32_t first, count; /* among the lines */
};

/* What one stack asked for and is still there, on one device and of one kind. */
struct tp_live_sample {
	uint32_t first, depth; /* among the frames; the innermost first */
	uint32_t kind;         /* "buffer", "executable" */
	uint32_t device;       /* "tpu:0"; 0 of what no device holds */
	uint64_t count, bytes;
};

/* One file. */
struct tp_live {
	uint32_t input; /* index of the file */
	const struct tp_live_sample *samples;
	uint32_t sample_count;
	const uint32_t *frames; /* indices of places */
	uint32_t frame_count;
	const struct tp_live_place *places;
	uint32_t place_count;
	const struct tp_live_line *lines;
	uint32_t line_count;
	uint32_t left_out; /* samples that are damaged */
	struct tp_live *next;
};

#endif
