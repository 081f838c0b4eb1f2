/* The passes that there are, and those of the page itself, which compute nothing: they say what others found. */
#ifndef TP_ANALYZE_PASSES_H
#define TP_ANALYZE_PASSES_H

struct tp_pass;

/* In the order in which they run and --list has them; ends with NULL. */
extern const struct tp_pass *const tp_passes[];

/* Those of a profile that is made of summaries (ingest/ranks.h), which have no events: of PyTorch traces, and of hosts of XLA's profiler. */
extern const struct tp_pass *const tp_passes_of_ranks[], *const tp_passes_of_hosts[];
/* Those that go before them where summaries hold event files. */
extern const struct tp_pass *const tp_passes_of_event_files[];

/* The first screen, and page 1 of the PDF: what somebody must know who reads nothing else. */
extern const struct tp_pass tp_pass_summary;
/* The same of a profile that is made of summaries, and what could not be used of them. */
extern const struct tp_pass tp_pass_summary_of_ranks;
/* The performance summary: the figures by which a run is judged, on one page. */
extern const struct tp_pass tp_pass_performance;
/* Of tp_pass_environment: hosts, devices, versions, how it was captured. */
extern const struct tp_pass tp_pass_environment_section;
/* Method and data quality: which files were read and how completely, what was assumed, which thresholds hold. */
extern const struct tp_pass tp_pass_quality;
/* What a report shows beside all of its run taken together (views.h). */
extern const struct tp_pass tp_pass_views;

#endif
