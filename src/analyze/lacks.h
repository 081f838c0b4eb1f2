/* What a report does not tell because the profile does not hold it, and how the next capture does. */
#ifndef TP_ANALYZE_LACKS_H
#define TP_ANALYZE_LACKS_H

#include "analyze/pass.h"

/* What keeps work of a GPU out of a profile. https://developer.nvidia.com/ERR_NVGPUCTRPERM */
#define TP_LACK_CUPTI                                                                              \
	"See that no other profiler is attached, and that the user may use CUPTI "                     \
	"(`NVreg_RestrictProfilingToAdminUsers=0` of the driver, `--cap-add=SYS_ADMIN` of a "          \
	"container)."

/* How a profile comes to hold compiled programs. */
#define TP_LACK_DUMP                                                                               \
	"run with `XLA_FLAGS=\"--xla_dump_to=DUMP --xla_dump_hlo_as_proto\"` and put "                 \
	"`*after_optimizations.hlo.pb` of it into the run's folder"
#define TP_LACK_HLO_JAX                                                                            \
	"Leave `enable_hlo_proto` of `jax.profiler.ProfileOptions()` on; or " TP_LACK_DUMP "."
#define TP_LACK_HLO_TENSORFLOW                                                                     \
	"Compile steps with XLA, `tf.function(jit_compile=True)`: then the profile holds their HLO. "  \
	"Where it does not, " TP_LACK_DUMP "."
#define TP_LACK_HLO "Keep HLO in the profile; or " TP_LACK_DUMP "."

/* How many such things there are. */
size_t tp_lacks_count(const struct tp_pass_ctx *ctx);

/* The list of them, where there are any: below the heading "Not in this profile, and how to capture it", shut when it is long. */
void tp_lacks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
