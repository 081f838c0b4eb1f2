/* The fixed texts of the part of Memory that shows allocators over time. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_MEMORY_ALLOCATORS_WORDS_H
#define TP_ANALYZE_MEMORY_ALLOCATORS_WORDS_H

/* What it says first: how much was in use, … */
static const char title_over_time[] = "Memory over time";
static const char text_peak_of_capacity[] =
	"At the peak {memory.measured.peak_bytes} were in use, {memory.measured.peak_share} of the "
	"capacity of `{}`.";
static const char text_peak[] = "At the peak {memory.measured.peak_bytes} of `{}` were in use.";
/* … and what it is. */
static const char text_earlier[] = "{} of that was allocated before the capture, or not recorded.";
static const char text_stack[] = "{} of that is stack, reserved by programs while they run.";
static const char text_largest[] = "The largest part is `{}`: {}.";
static const char text_largest_unnamed[] = "The largest allocation is unnamed: {}.";
/* Beside headings. */
static const char text_aside_of_capacity[] =
	"peak *{memory.measured.peak_bytes}*, {memory.measured.peak_share} of the {} that `{}` may use";
static const char text_aside[] = "peak *{memory.measured.peak_bytes}* of `{}`";
static const char text_allocator_aside[] = "peak *{}* at {}";
static const char text_allocator_aside_step[] = "peak *{}* at {}, step {}";

/* The curve. */
static const char text_curve_alt[] =
	"Memory in use of %.*s over time, from the first to the last event; the peak is %.*s, at "
	"%.*s.%s";
static const char text_curve_intervals[] = " Each column shows the min and max of an interval.";
static const char label_stack_low[] = "Stack, lowest";
static const char label_stack_rise[] = "Stack, up to highest";
static const char label_heap_low[] = "Heap, lowest";
static const char label_heap_rise[] = "Heap, up to highest";
static const char title_curve[] = "The curve as a table";
static const char caption_curve[] = "Memory in use, in equal intervals";

/* Tables; their columns: allocators_columns.h. */
static const char caption_allocators[] =
	"Allocators by peak; figures without a time are at the peak";
static const char caption_live[] = "Live at the peak, similar allocations grouped";
static const char text_allocated_earlier[] = "(allocated before the capture, or not recorded)";

/* How figures are computed, and of what. */
static const char how_over_time[] =
	"Each allocation and deallocation records its allocator's totals. In use are the stack "
	"(reserved) and the heap (allocated); the peak is the largest sum of both, of equal ones the "
	"last, and the allocator's memory is that sum plus free memory. Live at the peak is what was "
	"allocated in the capture and not freed at its address; the rest of the heap was allocated "
	"before, or preallocated. Fragmentation is the share of free memory outside its largest block, "
	"as reported by the allocator. The curve shows min and max per interval.";
static const char source_over_time[] =
	"events MemoryAllocation and MemoryDeallocation of host threads";

#endif
