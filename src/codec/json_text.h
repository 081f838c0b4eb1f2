/* The escapes of JSON strings. */
#ifndef TP_CODEC_JSON_TEXT_H
#define TP_CODEC_JSON_TEXT_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

/* What stands between the quotes, in room, which it is valid as long as. Escapes that do not exist stay as they are
 * written, half a surrogate pair becomes U+FFFD; both are counted in *repairs. */
struct tp_slice tp_json_unescape(struct tp_slice raw, struct tp_buf *room, uint64_t *repairs);

#endif
