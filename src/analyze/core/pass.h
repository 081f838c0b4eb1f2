/* Passes: one descriptor an analysis. analyze() computes numbers, metrics() registers the headline figures, present() says
 * them; none formats, draws or reads files. */
#ifndef TP_ANALYZE_PASS_H
#define TP_ANALYZE_PASS_H

#include "analyze/core/ctx.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_doc;
struct tp_pass;
struct tp_profile;

/* How the page is ordered: the summary first, then these (a pass's place). */
enum {
	TP_PLACE_SUMMARY = 10,
	TP_PLACE_FINDINGS = 20,
	TP_PLACE_PERFORMANCE = 25,
	TP_PLACE_STEPS = 30,
	TP_PLACE_SERVING = 32,
	TP_PLACE_LLM = 33,
	TP_PLACE_GPUS = 35,
	TP_PLACE_OPERATIONS = 40,
	TP_PLACE_PADDING = 45,   /* inside operations */
	TP_PLACE_PLACEMENT = 46, /* likewise */
	TP_PLACE_ROOFLINE = 50,
	TP_PLACE_INPUT = 60,
	TP_PLACE_KERNELS = 70,
	TP_PLACE_MODULES = 72,
	TP_PLACE_MEMORY = 75,
	TP_PLACE_MEMORY_OVER_TIME = 76,
	TP_PLACE_POD = 77,
	TP_PLACE_HOSTS = 78,     /* inside pod, where there is one */
	TP_PLACE_DEVICES = 80,   /* likewise, or inside hosts */
	TP_PLACE_POD_PARTS = 81, /* inside pod */
	TP_PLACE_TRACKS = 81,
	TP_PLACE_WHOLE_RUN = 82,
	TP_PLACE_TFPROF = 83,
	TP_PLACE_GRAPH = 84,
	TP_PLACE_TPU = 85, /* inside graph */
	TP_PLACE_TIMELINE = 86,
	TP_PLACE_VIEWS = 87,
	TP_PLACE_ENVIRONMENT = 900, /* from here on minor sections */
	TP_PLACE_METHOD = 950,
};

/* In which runs something is missed. */
enum tp_lack_on {
	TP_LACK_ON_CPU = 1 << 0, /* events of a host, and no TPU or GPU */
	TP_LACK_ON_GPU = 1 << 1,
	TP_LACK_ON_TPU = 1 << 2,
	TP_LACK_UNTIMED = 1 << 3,   /* no event was read: tool files, programs, event files, graphs */
	TP_LACK_ON_TRACKS = 1 << 4, /* nothing but traces of any program */
	TP_LACK_TIMED = TP_LACK_ON_CPU | TP_LACK_ON_GPU | TP_LACK_ON_TPU,
	TP_LACK_ANYWHERE = TP_LACK_TIMED | TP_LACK_UNTIMED,
};

/* Something that a pass tells where the profile holds it, and how a capture comes to hold it. Lists, by TP_LACKS, end with one
 * without what. */
struct tp_lack {
	const char *id, *what; /* "memory-plan", "Memory plans of programs" */
	unsigned on;           /* enum tp_lack_on */
	/* Why it is not there; empty: it is. NULL: where the pass was skipped, for the same reason. */
	struct tp_slice (*why)(const struct tp_pass_ctx *ctx);
	/* How to capture it, markup, by framework; any: of XLA's profiler where nothing is said for the one in use. NULL: there it
	 * is not missed. */
	const char *jax, *tensorflow, *pytorch_xla, *pytorch, *any;
};

struct tp_pass {
	const char *name, *title, *summary;
	/* A pass above this one in the list, mostly one of a lower floor that only computes: this one registers or presents its
	 * result and has nothing else but its place. NULL: the pass stands for itself. */
	const struct tp_pass *of;
	unsigned needs_all,
		needs_any; /* enum tp_facts that the profile must hold; absent → skipped, with the reason */
	/* its section is left out where the run holds no profile: one sentence says so there */
	bool of_profile;
	/* Passes whose results analyze() reads, beside those that they come after, by TP_AFTER; may be NULL. The list of passes has
	 * them above this one. */
	const struct tp_pass *const *after;
	int place; /* order in the page */
	/* TP_ABSENT with the reason in err when the profile holds nothing for it. NULL: it only presents what others computed. */
	enum tp_status (*analyze)(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err);
	/* Registers metrics; all passes do before the first presents, so that any text can cite any figure. result is NULL when
	 * the pass was skipped: its metrics are then missing, with the reason. May be NULL. */
	void (*metrics)(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
	/* Adds blocks. May be NULL. */
	void (*present)(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
	/* Adds blocks when the pass was skipped: says so, or shows what a profiler worked out itself. May be NULL. */
	void (*present_skipped)(const struct tp_pass_ctx *ctx, struct tp_doc *doc);
	/* What it cannot tell of some profiles, for the list of what is not in them (analyze/page/lacks.h). */
	const struct tp_lack *lacks;
	const char *lacks_nothing; /* instead: why no capture would give it more */
};

#define TP_LACKS(...) ((const struct tp_lack[]){__VA_ARGS__, {0}})
#define TP_AFTER(...) ((const struct tp_pass *const[]){__VA_ARGS__, NULL})

/* The first pass of a list that does not stand below all that it comes after, or that stands there twice; NULL: the order holds. */
const struct tp_pass *tp_pass_out_of_order(const struct tp_pass *const *passes);

/* Runs every pass of a list in order over the profile and lets each write its part of the document. The list ends with NULL.
 * Events of lines are there while passes compute; then they are given back, unless an output of all events asks for them: no
 * pass can ask for one where it registers or presents. */
enum tp_status tp_analyze(const struct tp_pass *const *passes, struct tp_profile *profile,
	const struct tp_pass_options *options, struct tp_arena *keep, struct tp_doc *doc,
	struct tp_err *err);

#endif
