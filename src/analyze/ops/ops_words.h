/* The fixed texts of the section Operations, but of padding and of graphs around operations. {} and {id} take figures, as TP_SAY does; %s as
 * printf. What cards name: op_cards_present.c. */
#ifndef TP_ANALYZE_OPS_OPS_WORDS_H
#define TP_ANALYZE_OPS_OPS_WORDS_H

/* What it says first: which operation takes most, … */
static const char text_two_equal[] = "`{}` and `{}` take {} of busy time each.";
static const char text_top_alone[] = "`{}` takes {} of busy time, more than any other operation.";
static const char text_top_shared[] =
	"`{}` takes {} of busy time, more than any other operation; many framework operations run it, "
	"each at most {}.";
static const char text_top_run_as[] =
	"`{}`, run as `{}`, takes {} of busy time, more than any other operation.";
static const char text_top_operation[] =
	"`{}` takes {} of busy time, more than any other operation; of framework operations `{}` takes "
	"the most, {}.";
static const char text_top_framework[] =
	"`{}` takes {} of busy time, more than any other framework operation; the longest single "
	"operation is `{}`, {}.";
static const char text_top_on_host[] = "`{}` takes {} of operation time on host threads.";
static const char text_top_type_on_host[] =
	"`{}` takes {} of operation time on host threads; the longest operation is `{}`, {}.";
static const char text_top_given[] = "`{}` takes {} of device time, more than any other operation.";
static const char text_longest_given[] = "`{}` takes longest.";
static const char text_none_on_device[] = "No operation ran on a device.";
/* … and why. */
static const char text_category_wasted[] =
	"The longest category is {} with {}; {} of busy time is wasted: neither arithmetic nor memory "
	"was at its limit.";
static const char text_category[] = "The longest category is {} with {}.";
static const char text_host_only[] =
	"The profile holds no device operations; these are the framework's on the host.";
static const char text_waits_twice[] =
	" Where a tf.data stage waits for another thread, both count: the stage, and what runs there.";
static const char text_first_few[] = "The profiler kept only the first {}.";
static const char text_summed[] = "These are framework operations, as summed by the profiler.";

/* Trees. */
static const char title_groups[] = "By category";
static const char title_programs[] = "By program";
static const char title_scopes[] = "By framework operation";
static const char text_one_program[] = "All operations belong to one program, `{}`.";
static const char text_no_programs[] = "The profile does not separate programs.";
static const char text_no_scopes[] =
	"The profile does not say which framework operations these are.";
static const char caption_tree[] =
	"Operations %s, over all occurrences and devices; in each group the %s first";
static const char caption_by_category[] = "by category";
static const char caption_by_program[] = "by program and category";
static const char caption_by_scope[] = "by program and name scope of the framework";

/* Tables; their columns: ops_columns.h. */
static const char caption_top[] =
	"Framework operations by self time, summed over the whole capture and all devices; HLO names "
	"where there is none";
static const char title_all[] = "All operations";
static const char caption_all[] =
	"Every operation, by self time over the whole capture and all devices";
static const char caption_some[] =
	"The %.*s with the most self time of %.*s, the others as one row; --top all lists each";
static const char caption_framework[] = "Framework %s %s, by self time";
static const char title_framework_xla[] = "Framework operations in XLA's programs";
static const char title_framework_device[] = "Framework operations on the device";
static const char title_framework_host[] = "Framework operations on the host";
static const char title_framework[] = "Framework operations";
static const char caption_given[] = "Operations on devices, precomputed by the profiler";
static const char title_given_host[] = "Operations on the host";
static const char caption_given_host[] = "Operations on the host, precomputed by the profiler";

/* Cards. */
static const char title_cards[] = "Cards";
static const char title_card[] = "%.*s · %.*s of busy time";
static const char caption_origin[] = "Origin";
static const char caption_fused[] = "Fused instructions, the result last";
static const char caption_some_fused[] = "The first fused instructions; %zu more";
static const char title_around[] = "Inputs and users";
static const char text_around_unknown[] = "Its inputs and users are unknown: {}.";
static const char text_row[] = "[Its row in the list of all operations](#{})";

/* Why a figure is missing, … */
static const char why_no_time[] = "no time";
static const char why_several[] = "several operations";
static const char why_of_several[] = "of several operations";
static const char why_on_host[] = "the host's CPU is not a device whose idle time is known";
static const char why_no_types[] = "the profile states no types";
static const char why_summed_up[] = "the profiler kept only sums of occurrences";
static const char why_only_hbm[] = "the tool file gives only HBM bytes";
static const char why_only_shares[] = "the tool file gives only shares";
static const char why_only_shares_of_time[] = "the tool file gives only shares of time";
static const char why_no_stalls[] =
	"the profile does not record how long operations waited for copies";
static const char why_no_product[] = "no convolution or dot";
static const char why_no_peak[] = "the device's peak is unknown";
static const char why_no_costs[] = "the profile states no costs";
static const char why_asynchronous[] =
	"more than the peak allows in its own time: it runs asynchronously";
static const char why_more_flop[] =
	"more FLOP than the peak allows: the call's stated FLOP are not what ran";
static const char why_not_said[] = "the profiler does not say";
static const char why_no_bytes[] = "it accesses no bytes";
static const char why_needs_nothing[] = "it needs neither FLOP nor memory bytes";
static const char why_how_often[] = "the tool file does not record how often it ran";
static const char why_above_bytes[] =
	"above the device's peak of %.*s, so the tool's bytes count more than memory moves";
static const char why_above_flop[] =
	"above the device's peak of %.*s, so the tool counts more FLOP than ran";
static const char why_layout_unknown[] = "the layout is unknown";
/* … or a part of it. */
static const char why_no_instruction[] = "its program's HLO has no instruction of this name";
static const char why_damaged[] = "the HLO of its program is damaged";
static const char why_no_hlo[] = "the profile does not hold its program's HLO";
static const char why_no_program[] = "the profile does not say which program it belongs to";
static const char why_no_host_operations[] = "no host thread has TensorFlow or JAX operations";
static const char why_no_operations[] = "the profile holds no device or XLA operations";
static const char why_no_op_profile[] = "no tool file of the run holds an op profile";

/* How figures are computed, and of what. */
static const char how_host[] =
	"The program ran on the host's CPU, so operations are XLA events on its threads. Self time "
	"excludes operations nested on the same thread; busy time is the sum over threads, so it can "
	"exceed wall time. Categories are opcodes from the program's HLO. A framework operation sums "
	"the XLA operations it was compiled to; its occurrences are those of the most frequent one.";
static const char how_device[] =
	"Self time excludes nested operations. FLOPS and bandwidth use are the compiler's estimates "
	"(FLOP and HBM bytes per occurrence × occurrences) over self time and the device's peak "
	"(source: see Method); loops have their body's costs, counted once. Bytes are estimates, so "
	"bandwidth use may somewhat exceed 100 %, more than memory can move: marked ?; above 125 % it "
	"is not shown. Wasted is self time × (1 − the larger of the two uses), summed in groups; it is "
	"unknown for copies that overlap other operations. The larger use of an operation or group is "
	"marked if it takes 1 % of busy time or more: ✓ at 50 % and above, ▲ below 25 %, ■ in between. "
	"Padding fit is that of a group's convolutions and dots, weighted by self time. Rates in the "
	"list of all operations are over total time, nested operations included; intensity is FLOP "
	"over all bytes. An operation is bound by the limit it uses most: arithmetic, HBM, or on-chip "
	"memory reads or writes. A framework operation sums the device operations it was compiled to; "
	"its occurrences are those of the most frequent one. xprof's op profile agrees, except that it "
	"omits loops' self time and operations beyond the first 100 of a group, and counts nested time "
	"twice in overall utilisation.";
static const char how_precomputed[] =
	"The profiler kept only the summed tree of its op profile, without single occurrences. Shares "
	"of the peaks are the profiler's own figures; its FLOPS share is of the run's whole time, here "
	"of the operation's. FLOP are the model's, bytes HBM's. Wasted is self time × (1 − the larger "
	"of the two uses), summed in groups. Operations that the file omits from a large group are one "
	"row; loops have no self time there. The larger use of an operation or group is marked if it "
	"takes 1 % of busy time or more: ✓ at 50 % and above, ▲ below 25 %, ■ in between; ? where it "
	"is above the device's peak: the tool's bytes count more than memory moves.";
static const char how_framework[] =
	"Framework operations are those of TensorFlow, JAX and tf.data. On the device each sums the "
	"device operations it was compiled to; names and types come from the compiler's metadata or "
	"GPU events. On the host they are events named \"name:Type\", iterators and copies; self time "
	"excludes those nested on the same thread. Shares with idle are of the time from the first to "
	"the last operation, summed over devices or host threads. Unlike xprof's, host counts exclude "
	"memory allocations.";
static const char source_host[] = "XLA events on host threads, and the programs' HLO";
static const char source_device[] =
	"lines \"XLA Ops\" of TPU cores, streams of GPUs, and the compiler's estimates";
static const char source_precomputed[] = "the HLO kept in the op profile";

#endif
