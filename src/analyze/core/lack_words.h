/* How captures come to hold more, where several passes say it alike (struct tp_lack). */
#ifndef TP_ANALYZE_LACK_WORDS_H
#define TP_ANALYZE_LACK_WORDS_H

/* What keeps work of a GPU out of a profile. https://developer.nvidia.com/ERR_NVGPUCTRPERM */
#define TP_LACK_CUPTI                                                                              \
	"Make sure that no other profiler is attached and that the user may use CUPTI "                \
	"(driver option `NVreg_RestrictProfilingToAdminUsers=0`, `--cap-add=SYS_ADMIN` for a container)."

/* How a profile comes to hold compiled programs. */
#define TP_LACK_DUMP                                                                               \
	"run with `XLA_FLAGS=\"--xla_dump_to=DUMP --xla_dump_hlo_as_proto\"` and put "                 \
	"its `*after_optimizations.hlo.pb` into the run's folder"
#define TP_LACK_HLO_JAX                                                                            \
	"Leave `enable_hlo_proto` of `jax.profiler.ProfileOptions()` on; or " TP_LACK_DUMP "."
#define TP_LACK_HLO_TENSORFLOW                                                                       \
	"Compile steps with XLA, `tf.function(jit_compile=True)`, so that the profile holds their HLO. " \
	"If it does not, " TP_LACK_DUMP "."
#define TP_LACK_HLO "Keep HLO in the profile; or " TP_LACK_DUMP "."

#endif
