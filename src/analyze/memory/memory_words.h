/* The fixed texts of the section Memory, where it is of a program's plan. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_MEMORY_MEMORY_WORDS_H
#define TP_ANALYZE_MEMORY_MEMORY_WORDS_H

/* What it says first: whether programs fit, … */
static const char text_needs[] =
	"The largest program, `{}`, needs {memory.peak_bytes} at its peak.";
static const char text_does_not_fit[] =
	"The largest program, `{}`, does not fit: it needs {memory.peak_bytes}, {memory.peak_share} of "
	"{}.";
static const char text_fits[] =
	"Programs fit: the largest, `{}`, needs {memory.peak_bytes} at its peak, {memory.peak_share} "
	"of {}.";
static const char text_no_program[] = "No program in the profile uses the device's main memory.";
/* … and what fills the peak. */
static const char text_no_padding[] = "None of it is padding.";
static const char text_padding[] = "{} of it, {}, is padding.";
static const char text_little_padding[] = "Almost none of it is padding.";
static const char text_largest_buffer[] = " The largest buffer is `{}`, {}.";
static const char text_measured_less[] =
	" Measured peak: {memory.measured.peak_bytes}: the plan's peak was not reached while the capture ran.";
static const char text_measured_more[] =
	" Measured peak: {memory.measured.peak_bytes}, with what else was in memory.";
static const char text_measured_peak[] = " Measured peak: {memory.measured.peak_bytes}.";
static const char text_program_damaged[] =
	"Program `{}` is left out because its HLO is damaged ({}).";
static const char text_programs_damaged[] =
	"{} left out because their HLO is damaged; the first, `{}`: {}.";

/* Of one program. */
static const char text_program_aside[] = "peak *{}*, {} without padding";
static const char text_peak_at[] = "The peak is at `{}`, point {} of {}; {} are always live.";
static const char text_scoped[] =
	"`{}` needs {} of VMEM while it runs, more than any other instruction.";
static const char text_curve_alt[] =
	"Memory in use over %u program points; the peak is %.*s, at point %u.%s";
static const char text_largest_of_several[] =
	" Each column is the largest of several consecutive points.";
static const char text_lifetimes[] = "Lifetimes of the buffers at the peak";
static const char text_some_lifetimes[] = "Lifetimes of the %zu largest buffers at the peak";

/* Tables; their columns: memory_columns.h. */
static const char caption_programs[] = "Programs by peak; what their plan needs on one device";
static const char caption_buffers[] = "Buffers at the peak, by size";
static const char title_in_order[] = "The same in program order";
static const char caption_in_order[] = "Buffers at the peak in program order";
static const char text_no_instruction[] = "a buffer without an instruction";

/* What to do when memory runs out, step by step. */
static const char title_guide[] = "Out of memory? How to read this";
static const char text_guide_unknown[] =
	"*1. Is it this program?* It needs {}. The device's memory is unknown: give it with `--peak "
	"memory=16GiB`. A plan larger than the memory can never run; the error then names this program "
	"and about this size.";
static const char text_guide_program[] =
	"*1. Is it this program?* Yes: it needs {} and the device has {}. No allocator setting helps; "
	"steps 2 to 4 do.";
static const char text_guide_not_alone[] =
	"*1. Is it this program?* Not alone: it needs {} of {}. If the run still died in it, something "
	"outside the plan took the rest: go to step 5 first.";
static const char text_guide_no_temporaries[] =
	"*2. Temporary buffers* take nothing at the peak: recomputation or a smaller batch frees "
	"little; go on with step 3.";
static const char text_guide_temporaries[] =
	"*2. Temporary buffers* take {} of the peak, above all `{}`, without which the peak would fall "
	"by {}. See its framework operation and source line in the table; recompute it "
	"(rematerialisation, `jax.checkpoint`), lower the batch, or use it earlier so that it is freed "
	"before the peak. If a buffer frees less than its size, another point needs nearly as much.";
static const char text_guide_live[] =
	"*3. Always live* are parameters, outputs and constants: {}. Donate inputs that are not reused "
	"(`donate_argnums`), so that an output takes their place; shard them over more devices; keep "
	"optimiser state in 16-bit precision.";
static const char text_guide_padding[] =
	"*4. Padding* takes {}. Sort the table by expansion: a factor above 2 means a dimension that "
	"does not fill its tile, which transposing or joining dimensions fixes.";
static const char text_guide_outside[] =
	"*5. Outside the plan*: arrays kept between calls (old state, prefetched batches), other "
	"loaded programs, other processes on the device, and fragmented memory. Drop what is kept, and "
	"compare with the memory that the profiler recorded over time.";

/* Why a figure is missing, … */
static const char why_nothing_live[] = "nothing is live";
static const char why_not_separated[] = "the tool file does not separate these";
static const char why_no_id[] = "the tool file does not say";
static const char why_not_temporary[] = "nothing is temporary in this program";
static const char why_of_program[] = "given once per program";
static const char why_no_vmem[] = "no instruction states its VMEM use";
static const char why_empty[] = "the array is empty";
static const char why_rest[] = "many buffers, each with its own";
static const char why_no_main[] = "the program uses no main memory";
static const char why_none_main[] = "no program in the profile uses main memory";
static const char why_no_capacity[] = "the capacity is 0";
/* … or the whole section. */
static const char why_no_allocations[] = "the program's plan holds no allocations";
static const char why_damaged[] = "the HLO of the programs is damaged";
static const char why_no_assignment[] = "the profile's programs carry no buffer assignment";

/* How figures are computed, and of what. */
static const char how_memory[] =
	"The compiler's plan: temporary buffers are those of its heap simulation, replayed event by "
	"event; parameters, outputs and constants are always live. Sizes include the layout's padding; "
	"without padding: product of dimensions × element size. A buffer frees as much as the peak "
	"would fall without it: less than its size if another point needs nearly as much. The plan is "
	"for one device, without what the framework keeps between programs and without other programs.";
static const char source_memory[] = "the programs' HLO and buffer assignment";
static const char source_left[] = "HLO and buffer assignment, left by the profiler in `{}`.";
static const char text_given_one[] =
	"Peaks, buffers and lifetimes of `{}` are the profiler's own figures: its total without "
	"padding includes the padding of buffers that are always live, and buffers below 16 KiB count "
	"as one.";
static const char text_given[] =
	"Peaks, buffers and lifetimes from {} are the profiler's own figures: its total without "
	"padding includes the padding of buffers that are always live, and buffers below 16 KiB count "
	"as one.";

#endif
