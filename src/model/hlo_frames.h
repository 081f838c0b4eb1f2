/* Where in the source an instruction is from, as newer modules say it: the number of a stack frame in an index that the
 * whole module shares. */
#ifndef TP_MODEL_HLO_FRAMES_H
#define TP_MODEL_HLO_FRAMES_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

/* Numbers count from 1; 0 is none. */
struct tp_hlo_frames {
	struct tp_slice *files;
	struct tp_hlo_location {
		uint64_t file;
		int32_t line;
	} * locations;
	uint64_t *frames; /* number of a location */
	uint32_t file_count, location_count, frame_count;
};

/* Reads a serialized xla.StackFrameIndexProto; what is damaged in it is left out. Texts are valid UTF-8, all in arena. */
void tp_hlo_frames_read(struct tp_slice message, struct tp_arena *arena, struct tp_hlo_frames *out);

/* The innermost source line of a frame; false when the index does not hold it. */
bool tp_hlo_frame_source(
	const struct tp_hlo_frames *f, uint64_t frame, struct tp_slice *file, int32_t *line);

#endif
