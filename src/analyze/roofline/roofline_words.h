/* The fixed texts of the section Roofline. {} and {id} take figures, as TP_SAY does; %s as printf. Metrics: roofline_present.c. */
#ifndef TP_ANALYZE_ROOFLINE_ROOFLINE_WORDS_H
#define TP_ANALYZE_ROOFLINE_ROOFLINE_WORDS_H

static const char title_roofline[] = "Roofline";

/* What it says first: how near operations are to the roof, … */
static const char text_reach_in_steps[] =
	"While operations of complete steps run, they reach {} of the roof, which is {}.";
static const char text_reach[] = "While operations run, they reach {} of the roof, which is {}.";
static const char text_states_nothing[] = "The operations state neither FLOP nor bytes.";
static const char text_unfed[] =
	"Without infeed and outfeed, in which a core waits, they reach {}; the roof is then {}.";
static const char text_no_roofline[] = "No roofline: {}.";
/* … and which limit that is. */
static const char text_memory_limits[] =
	"They do {} FLOP per HBM byte; below {} memory is the limit.";
static const char text_compute_limits[] =
	"They do {} FLOP per HBM byte; above {} compute is the limit.";

/* The chart. */
static const char text_x_axis[] = "FLOP per HBM byte →";
static const char text_y_axis[] = "FLOP/s per device ↑";
static const char text_whole_program[] = "whole program";
static const char text_average_step[] = "average step";
static const char text_legend_with_step[] =
	"Cross: whole program, idle time included. Square: average step. Numbers: rows of the table of "
	"operations below; grey: other operations; area: self time.";
static const char text_legend[] =
	"Cross: whole program, idle time included. Numbers: rows of the table of operations below; "
	"grey: other operations; area: self time.";
static const char text_not_in_chart[] = " Not in the chart: ";
static const char text_one_no_flop[] = "operation without FLOP";
static const char text_no_flop[] = "operations without FLOP";
static const char text_one_no_hbm[] = "that touches no HBM";
static const char text_no_hbm[] = "that touch no HBM";
static const char text_asynchronous[] = "running asynchronously";
static const char text_too_short[] = "too short to show";
static const char text_chart_alt[] =
	"FLOP/s over FLOP per HBM byte: %zu points below a roof of %.*s and %.*s; the whole program "
	"reaches %.*s at %.*s.";

/* Tables. */
static const char caption_program[] = "The program against the limits of one device";
static const char text_row_program[] = "Whole program, idle included";
static const char text_row_unfed[] = "Without infeed and outfeed";
static const char text_row_step[] = "Average step";
static const char text_row_inferred_step[] = "Average step, inferred";
static const char text_row_operations[] = "Operations only";
static const char text_row_operations_in_steps[] = "Operations in steps only";
static const char text_whole_capture[] = "the whole capture, which has no TPU core steps";
static const char caption_operations[] = "Operations that state costs, by self time";
static const char caption_some_operations[] = "The %d longest of %zu operations that state costs";
static const char title_limits[] = "Ceilings and ridge points";
static const char text_all_devices[] = "all devices with operations";
static const char caption_limits[] =
	"With fewer FLOP per byte than the ridge point, that memory is the limit; with more, "
	"arithmetic is";

/* Why a figure is missing, … */
static const char why_asynchronous[] =
	"more than the peak allows in its own time: it runs asynchronously";
static const char why_no_hbm[] = "it moves no HBM bytes";
static const char why_no_time[] = "it took no time";
static const char why_no_peak[] = "the peak is unknown";
static const char why_no_limit[] = "it uses no known limit";
static const char why_no_flop[] = "the operations state no FLOP";
static const char why_flat_part[] = "it is the flat part of the roof";
static const char why_no_steps[] = "no TPU core has complete steps";
/* … or the whole section. */
static const char why_no_peak_of[] = "no peak %s: %.*s";
static const char why_peaks_differ[] = "the devices with operations have different peaks";
static const char why_on_host[] =
	"the operations ran on the host's CPU, for which the profile states neither costs nor peaks";
static const char why_no_costs[] = "the profile does not give the FLOP and bytes of each kernel";

/* How figures are computed, and of what. */
static const char how_roofline[] =
	"FLOP and bytes are the compiler's estimates per occurrence × occurrences; the program's are "
	"those of innermost operations, as loops and calls only contain others. Rates are per device "
	"over an operation's total time; the program's over device time including idle, the average "
	"step's over complete steps on the chip's clock, and both also over the operations' own time. "
	"Bound by: the limit it uses the largest share of; that share is its efficiency. As bytes are "
	"estimates, it may somewhat exceed 100 %; above 125 % it is not shown. The slope of the roof "
	"is HBM bandwidth; thin slopes are on-chip memories, for their bytes.";
static const char source_roofline[] =
	"lines \"XLA Ops\" and \"Steps\" of TPU cores, the compiler's estimates, peaks as listed in "
	"Method";

#endif
