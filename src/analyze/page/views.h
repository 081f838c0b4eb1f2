/* Views: what a report shows beside all of its run taken together: one worker, one span, one host, another run of the log directory.
 * Each was read and analysed by itself, and is here as an excerpt of the report that it would have. */
#ifndef TP_ANALYZE_VIEWS_H
#define TP_ANALYZE_VIEWS_H

#include "analyze/core/ctx.h"
#include "report/scope.h"

struct tp_arena;

/* How much of a view is shown, by how many there are. */
enum tp_view_size {
	TP_VIEW_WHOLE,  /* memory over time too, which is as large as all the rest */
	TP_VIEW_MEDIUM, /* without it */
	TP_VIEW_SMALL,  /* without charts, steps by role and each collective */
};

struct tp_view {
	struct tp_slice id;     /* of its section */
	struct tp_slice title;  /* "rank0, span 2" */
	struct tp_scope scope;  /* of its figures: run, host, or worker and span */
	struct tp_doc *excerpt; /* NULL: it cannot be read */
	struct tp_slice why;    /* then, the reason */
	enum tp_view_size size;
	bool partial; /* something of it could not be used */
};

struct tp_views {
	struct tp_view *views;
	size_t count;
	size_t left_out; /* what is more than a page should hold */
	bool of_hosts;   /* they are the hosts of the run */
};

/* A view that is named and nothing else yet; texts are copied into arena. */
struct tp_view tp_view_named(struct tp_arena *arena, struct tp_slice title, struct tp_scope scope);

/* Takes from a view's own document, which may then go, what a report shows of it, by its size. */
void tp_view_take(struct tp_view *view, const struct tp_doc *doc, struct tp_arena *arena);

#endif
