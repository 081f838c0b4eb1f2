/* The fixed texts of the section Tracks. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_TRACKS_TRACKS_WORDS_H
#define TP_ANALYZE_TRACKS_TRACKS_WORDS_H

/* What it says first. */
static const char text_most[] = "`{}` has the most self time: {}, {} of what `{}` records.";
static const char text_no_length[] = "No event has a length; {}.";
static const char text_aside[] = "{} on {}";

/* Tables; their columns: tracks_columns.h. */
static const char caption_names[] = "Names by self time on each track; tracks with most time first";
static const char text_some_names[] = "%zu of %zu names";
static const char text_no_name[] = "without a name";
static const char title_counters[] = "Counters";
static const char caption_counters[] = "Counters; a value holds until the next point";

/* Why a figure is missing, … */
static const char why_no_length[] = "the events of the track have no length";
static const char why_none_given[] = "the trace gives none";
static const char why_of_names[] = "the names of the track have it";
static const char why_not_said[] = "the trace does not say";
static const char why_one_time[] = "all points are at one time";
/* … or what a section needs. */
static const char why_no_events[] = "the trace holds no event and no counter";
static const char why_not_meant[] = "a trace of another program does not say what its events are";

/* How figures are computed. */
static const char how_tracks[] =
	"A track is a thread, or what a trace keeps apart from threads. Self time is the time of an "
	"event that no event inside it covers; the total counts nested calls again. What a trace does "
	"not say (steps, operations, devices) is not guessed from names.";

#endif
