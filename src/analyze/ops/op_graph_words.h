/* The fixed texts of the section that draws operations with their inputs and users. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_OPS_OP_GRAPH_WORDS_H
#define TP_ANALYZE_OPS_OP_GRAPH_WORDS_H

static const char title_around_chosen[] = "Around chosen operations";
static const char text_shown_one[] = "{} of the programs with its inputs and users.";
static const char text_shown[] = "{} of the programs with their inputs and users.";
static const char text_more_of_name[] =
	"{} more with the same name in other programs are not shown: use PROGRAM(ID)/NAME.";
static const char text_nothing_shown[] = "Nothing can be shown: {}.";
static const char text_card[] = "Its times are on [its card](#{}).";
static const char text_refused[] =
	"--graph-of %.*s: no program of this run has such an instruction; %s%.*s";

/* The drawing, and the same as a table; its columns: op_graph_columns.h. */
static const char text_drawing_alt[] =
	"%.*s reads %zu %s and is read by %zu. %zu are drawn, inputs above users";
static const char caption_around[] =
	"Instructions around %.*s, %.*s: inputs at negative, users at positive distance%s";
static const char text_thicker[] = "; thicker arrows carry more bytes";
static const char text_in_computation[] = "in computation %.*s";
static const char text_in_called[] = "in computation %.*s, which %.*s calls";

static const char why_damaged[] = "the HLO of the programs is damaged";
static const char why_no_hlo[] = "the profile holds no HLO of its programs";
static const char why_no_self_time[] = "no self time was recorded";

#endif
