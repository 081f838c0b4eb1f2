/* The fixed texts of the sections Hosts and Devices; of Distributed, where they are a part of it. {} and {id} take figures, as TP_SAY does; %s as
 * printf. */
#ifndef TP_ANALYZE_HOSTS_WORDS_H
#define TP_ANALYZE_HOSTS_WORDS_H

static const char title_hosts[] = "Hosts";
static const char title_by_host[] = "By host";
static const char text_hosts_aside[] = "{}, mean step at most {}, median {}";
/* Which host is slow, or which core makes the others wait. */
static const char text_slow_core[] =
	"`{}` of `{}` computes {} per step, {} the median core; the others wait for it.";
static const char text_no_common_step[] = "{} in this run; no step was found on all of them.";
static const char text_slow_host[] =
	"`{}` is the slowest host: its steps take {}, {} the median host's.";
static const char text_neither_slow[] =
	"Neither host is slower than the other: the longer mean step is {}, the median {}.";
static const char text_no_slow_host[] =
	"No host is slower than the others: the longest mean step is {}, the median {}.";
static const char text_hosts_alt[] =
	"Mean step of %s%zu hosts by class of time, slowest first: %.*s to %.*s.";
static const char caption_hosts[] =
	"Hosts, over their own devices and the steps that all hosts have";
static const char caption_hosts_precomputed[] = "Hosts, from their own tool files";
static const char text_all_hosts[] = "All together";
static const char text_in_other_sections[] = "In other sections";
static const char title_host_steps[] = "Every step on every host";
static const char caption_host_steps[] = "Every step on every host by class of time";
static const char caption_some_host_steps[] = "%zu of %zu steps, evenly chosen, on every host";
/* Where the profiler's own figures of several hosts are all there is. */
static const char text_others_show[] =
	"The other sections show one host's figures, those of the first that has any: {}.";

static const char title_devices[] = "Devices";
static const char title_by_device[] = "Devices";
static const char text_devices_aside[] =
	"{}, busy {device.busy_share} from first to last operation";
static const char text_devices_busy[] =
	"Devices were busy {device.busy_share} of the time from first to last operation, and idle "
	"{device.idle_share}.";
/* Waiting for the infeed is an operation, too: the first figure is that of the first screen. */
static const char text_devices_busy_infeed[] =
	"Devices compute for {step.class.compute_share} of a step and wait in infeed for "
	"{step.class.input_wait_share}.";
static const char text_with_infeed[] =
	"With waits and all other operations they are busy {device.busy_share} of the time from first "
	"to last operation, idle {device.idle_share}. ";
static const char text_one_device[] =
	"Over the only device, from its first to its last operation or step.";
static const char text_devices[] = "Over {}, each from its first to its last operation or step.";
static const char text_without_work[] = "{} left out.";
static const char caption_devices[] = "Time, utilisation and peaks of each device with operations";

/* Why a figure of a host is missing, … */
static const char why_no_steps[] = "this host has no steps";
static const char why_no_length[] = "steps have no length";
static const char why_no_devices[] = "no device of this host has operations";
static const char why_no_peak[] = "the peak of one of this host's devices is unknown";
static const char why_no_costs[] = "the profile does not give the costs of its operations";
static const char why_no_counter[] = "this host recorded no such performance counter";
static const char why_no_operation[] = "no operation ran on this host";
static const char why_all_hosts_alone[] = "it is given only for all hosts together";
static const char why_host_not_given[] = "the tool files of this host do not say";
static const char why_cores_not_given[] = "tool files do not say which host has which cores";
static const char why_devices_not_given[] = "tool files do not say which host has which devices";
/* … and one of a device. */
static const char why_no_time[] = "no time";
static const char why_no_duty_cycle[] = "only TPU chips have a duty cycle";
static const char why_peak_unknown[] = "the peak is unknown";
static const char why_no_own_steps[] = "this device has no steps of its own";
static const char why_no_capture[] = "the profile does not record how long the capture was";

/* How figures are computed. */
static const char how_hosts[] =
	"Each row is what a report on that host's file alone would say, but over the steps that all "
	"hosts have. A host's step is that of its slowest core. Shares are ratios of sums over the "
	"host's devices. \"Slowest core\" is the compute of a mean step on the host's "
	"longest-computing core: collectives make all cores end a step together, so a slow core shows "
	"in its compute, not in its step. If cores or hosts cannot be compared step by step, a host "
	"counts as slower if its mean step is at least 1.05 times the median host's, and a core if its "
	"compute in a mean step is at least 1.10 times the median core's.";
static const char how_hosts_precomputed[] =
	"Each row is taken from that host's tool files. The files do not say how to combine hosts, so "
	"they are not combined; \"in other sections\" is what those show. A host counts as slower if "
	"its mean step is at least 1.05 times the median host's.";
static const char how_devices[] =
	"Busy: on a TPU core the sum of its operations' self times, on the chip's clock; on a GPU the "
	"time in which any stream had work. Total: the time from the first to the last operation or "
	"step, on GPUs over all GPUs of a host. Duty cycle, on the host clock: time in which at least "
	"one core of a TPU chip ran an operation other than infeed, outfeed or host transfers, over "
	"the time from its first to its last operation or program run. Work per step: self time of "
	"operations other than transfers and collectives in a mean step. FLOPS and bandwidth use are "
	"those of all its operations over its total time and its peak.";
static const char source_hosts[] = "what the sections on steps, devices and operations use";
static const char source_hosts_precomputed[] =
	"Precomputed by the profiler, in each host's tool files.";
static const char source_devices[] =
	"lines \"XLA Ops\", \"XLA Modules\" and \"Steps\" of TPU cores, streams of GPUs";

#endif
