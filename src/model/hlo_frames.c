/* The index of stack frames: files, locations in them, frames at these. Field numbers are those of hlo.proto. */
#include "model/hlo_frames.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "codec/pb_wire.h"

enum { FILES = 1, LOCATIONS = 3, FRAMES = 4 };

static uint64_t
number_in(struct tp_slice message, uint32_t field)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t number = 0;

	while (tp_pb_next(&p)) {
		if (p.field == field && p.type == TP_PB_VARINT)
			number = p.number;
	}
	return number;
}

void
tp_hlo_frames_read(struct tp_slice message, struct tp_arena *arena, struct tp_hlo_frames *out)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t files = 0, locations = 0, frames = 0;

	while (tp_pb_next(&p)) {
		files += p.field == FILES && p.type == TP_PB_BYTES;
		locations += p.field == LOCATIONS && p.type == TP_PB_BYTES;
		frames += p.field == FRAMES && p.type == TP_PB_BYTES;
	}
	*out = (struct tp_hlo_frames){
		.files = tp_new_array(arena, struct tp_slice, files),
		.locations = tp_new_array(arena, struct tp_hlo_location, locations),
		.frames = tp_new_array(arena, uint64_t, frames),
	};
	for (p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == FILES)
			out->files[out->file_count++] = tp_utf8_clean(arena, p.bytes);
		else if (p.field == LOCATIONS)
			out->locations[out->location_count++] =
				(struct tp_hlo_location){number_in(p.bytes, 1), (int32_t)number_in(p.bytes, 3)};
		else if (p.field == FRAMES)
			out->frames[out->frame_count++] = number_in(p.bytes, 1);
	}
}

bool
tp_hlo_frame_source(
	const struct tp_hlo_frames *f, uint64_t frame, struct tp_slice *file, int32_t *line)
{
	if (frame == 0 || frame > f->frame_count)
		return false;
	uint64_t location = f->frames[frame - 1];

	if (location == 0 || location > f->location_count)
		return false;
	const struct tp_hlo_location *at = &f->locations[location - 1];

	if (at->file == 0 || at->file > f->file_count)
		return false;
	*file = f->files[at->file - 1];
	*line = at->line;
	return true;
}
