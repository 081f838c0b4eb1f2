/* The fixed texts of the part of Memory that shows what was held when a memory profile was saved. {} and {id} take figures, as TP_SAY does;
 * %s as printf. */
#ifndef TP_ANALYZE_MEMORY_LIVE_WORDS_H
#define TP_ANALYZE_MEMORY_LIVE_WORDS_H

/* What it says first. */
static const char title_held[] = "Held when the memory profile was saved";
static const char text_held[] = "{memory.live.bytes} were held by {} and {}.";
static const char text_held_aside[] = "*{memory.live.bytes}* by {} and {}";
static const char text_file_aside[] = "{} held";
static const char text_largest_stack[] =
	"The largest stack allocated {memory.live.top.share} of it: `{}`{}{}.";
static const char text_damaged[] = "{} left out: damaged or with impossible counts.";

/* Tables; their columns: live_columns.h. */
static const char caption_totals[] = "Held memory by device and kind";
static const char caption_stacks[] =
	"Call stacks that allocated what was held, named by their innermost call outside installed "
	"packages; equal ones share a row";
static const char title_full_stacks[] = "The same stacks in full";
static const char caption_full_stacks[] =
	"Every call of the stacks; row above: the row of the stack in the table above";
static const char title_tree[] = "As a call tree";
static const char caption_tree[] =
	"Calls from the outermost inwards; chains of single calls share a row";
static const char caption_tree_more[] =
	"Calls from the outermost inwards; chains of single calls share a row; %zu more are left out";

/* Why a figure is missing. */
static const char why_holds_nothing[] = "what is held takes no memory";
static const char why_nothing_held[] = "nothing is held";

/* How figures are computed, and of what. */
static const char how_live[] =
	"A memory profile lists what was held when it was saved: for each call stack, the number and "
	"bytes of buffers or compiled programs it allocated that still exist. It does not cover "
	"earlier or later times, or what a program needs while it runs. A stack is named by its "
	"innermost call outside installed packages: the line to change.";
static const char source_live[] = "From `{}`.";

#endif
