/* The fixed texts of the section Memory of PyTorch. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_TORCH_MEMORY_TORCH_MEMORY_WORDS_H
#define TP_ANALYZE_TORCH_MEMORY_TORCH_MEMORY_WORDS_H

/* What it says first: how much was allocated, … */
static const char text_peak_of_capacity[] =
	"At the peak {torch.memory.peak_bytes} were allocated, {torch.memory.peak_share} of the memory "
	"of `{}` in {}.";
static const char text_peak[] =
	"At the peak {torch.memory.peak_bytes} were allocated on `{}` in {}.";
static const char text_growth[] =
	"Memory on `{}` grew by at most {torch.memory.growth_bytes} in {}.";
static const char text_no_totals[] = "This version of torch does not record totals.";
/* … and what it is. */
static const char text_earlier_and_largest[] =
	"{} of that was allocated before the trace began, or not recorded; the largest part since is "
	"`{}`, {}.";
static const char text_earlier[] =
	"{} of that was allocated before the trace began, or not recorded.";
static const char text_largest[] = "{} of that was allocated by `{}`.";
/* If no record was found. */
static const char text_none_recorded[] = "No memory was recorded.";
static const char text_requested[] =
	"It was requested: nothing was allocated or freed during the capture, or the records are not "
	"in the trace.";
static const char text_how_to_record[] =
	"Capture with `torch.profiler.profile(profile_memory=True)`; add `record_shapes=True` and "
	"`with_stack=True` to see what allocated it.";

/* Of one device. */
static const char text_growth_aside[] = "grew by at most *{}*";
static const char text_no_curve[] =
	"Its records give no totals (torch up to 1.9): there is no curve or peak, only what each "
	"operator allocated.";
static const char text_curve_alt[] =
	"Memory of %.*s over time, from the first to the last record; the peak is %.*s, at %.*s.%s";
static const char text_curve_intervals[] = " Each column shows the min and max of an interval.";
static const char text_number[] =
	"`{}` is GPU {} elsewhere in this report: PyTorch's memory counts the GPUs that a process "
	"sees, kernels count the devices of the machine.";

/* What is not in the report. */
static const char text_trace_without[] =
	"{} of {} has no memory records: capture with `profile_memory=True`.";
static const char text_traces_without[] =
	"{} of {} have no memory records: capture with `profile_memory=True`.";
static const char text_detailed[] = "Of the {} the {} with the largest peaks are shown in detail.";
static const char text_devices_left_out[] = "{} left out: too many devices.";

/* Tables. */
static const char caption_pools[] = "Device allocators by peak, accelerators first";
static const char caption_live[] = "Live at the peak, by allocating operator";
static const char caption_some_live[] =
	"Live at the peak, by allocating operator, the first %d of %zu";
static const char text_before_trace[] = "(before the trace began, or not recorded)";
static const char title_steps[] = "Each step";
static const char caption_steps[] = "Memory by step, as marked by the host";
static const char title_operators[] = "Each operator";
static const char caption_operators[] = "Memory by operator; growth: allocated minus freed in it";
static const char caption_some_operators[] = "Memory by operator, the first %d of %zu";
static const char title_step_operators[] = "Each step's operators";
static const char caption_step_operators[] = "Memory by step and operator";
static const char caption_some_step_operators[] =
	"Memory by step and operator: the top %d per step, at most %d rows";
static const char title_pieces[] = "All allocations";
static const char caption_pieces[] = "Allocations, largest first, then longest-lived";
static const char caption_some_pieces[] =
	"The largest %.*s of %.*s allocations; equal ones by lifetime";

/* Why a figure is missing, … */
static const char why_reserves_nothing[] = "the host's allocator reserves nothing";
static const char why_no_totals[] =
	"torch up to 1.9 records no totals, only each allocation and release";
static const char why_no_pool_totals[] = "torch up to 1.9 records no totals";
static const char why_no_capacity[] = "the trace does not say how much memory the device has";
static const char why_no_pool_capacity[] = "the trace does not say how much memory it has";
static const char why_no_addresses[] = "torch up to 1.9 records no addresses";
static const char why_in_no_step[] = "in no step that counts";
static const char why_no_growth[] = "this version of torch does not record totals";
static const char why_nothing_allocated[] = "nothing was allocated";
static const char why_no_allocated_totals[] = "the records give no allocated totals";
static const char why_not_allocated[] = "no allocation of it is recorded";
static const char why_nothing_live[] = "nothing is live";
static const char why_steps_overlap[] = "steps overlap so much that only the first were examined";
static const char why_outside_operators[] = "allocated outside operators";
static const char why_allocated_earlier[] = "allocated before the trace began";
static const char why_earlier[] = "before the trace began";
static const char why_not_freed[] = "not freed when the trace ended";
static const char why_no_release[] = "its address was reallocated without a recorded release";
static const char why_no_lifetime[] = "its start or end is not recorded";
/* … or the whole section. */
static const char why_no_record[] = "memory was requested, but no allocator wrote a record";
static const char why_not_captured[] =
	"the traces hold no allocator records: capture with profile_memory=True";

/* How figures are computed, and of what. */
static const char how_torch_memory[] =
	"Each allocator record gives the bytes allocated or freed and, since torch 1.11, the totals "
	"allocated and reserved afterwards. The peak is the largest Total Allocated, of equal ones the "
	"last; memory reserved but not allocated then is lost to fragmentation and rounding. A record "
	"belongs to the innermost operator on its host thread at that time, else to the innermost "
	"user-named range; `aten::empty` counts for its caller. An allocation is freed by the next "
	"release at the same address on the same device. Growth is allocated minus freed. In nested "
	"calls of one operator each byte counts once. Steps are the host's, as allocators run ahead of "
	"their devices. The curve shows min and max per interval.";
static const char source_torch_memory[] = "instant events [memory] and operators";

#endif
