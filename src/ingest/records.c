/* Record files: opened, and damage said with its place. */
#include "ingest/records.h"

#include "ingest/reader.h"
#include "io/blob.h"
#include "io/tfrecord.h"
#include "model/build.h"

void
tp_records_tell(const struct tp_source *in, struct tp_builder *out, const struct tp_tfrecord *r)
{
	static const char *const damages[] = {
		[TP_RECORD_BAD_LENGTH] = "a length with a wrong checksum",
		[TP_RECORD_BAD_BYTES] = "a record with a wrong checksum",
		[TP_RECORD_CUT] = "a record cut off by the end of the file",
		[TP_RECORD_TOO_LARGE] = "a record of 2 GiB or more, larger than any event",
	};

	if (r->damage == TP_RECORD_WHOLE)
		return;
	tp_built_input(out, in->input)->partial = true;
	tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path, r->damage_offset,
		"%s: %llu bytes skipped", damages[r->damage], (unsigned long long)r->damage_bytes);
}

void
tp_records_open(const struct tp_source *in, struct tp_tfrecord *r)
{
	if (in->blob != NULL && tp_blob_in_pieces(in->blob))
		tp_tfrecord_open_pieces(r, in->blob);
	else
		tp_tfrecord_open(r, in->bytes);
}
