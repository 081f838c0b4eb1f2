/* The fixed texts of the section Padding fit. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_OPS_PADDING_WORDS_H
#define TP_ANALYZE_OPS_PADDING_WORDS_H

/* What it says first. */
static const char text_not_applicable[] = "*Not applicable: {}.*";
static const char text_unknown[] = "*The layouts of the {} with a convolution or dot are unknown.*";
static const char text_nothing_lost[] =
	"*No device time is lost to padding: arrays of the {} with a convolution or dot fill their tiles.*";
static const char text_lost_share[] = "*Padding costs at most {padding.lost_share} of busy time.*";
static const char text_lost[] =
	"*Padding costs at most {padding.lost_ms} of device time, {padding.lost_share} of busy time.*";
static const char text_most[] = " Most in `{}`: data fills {} of the tiles of its {} ({}).";
static const char text_damaged_one[] =
	"The HLO of program `{}` is damaged ({}); its operations are not judged.";
static const char text_damaged[] =
	"The HLO of {} programs is damaged, first `{}` ({}); their operations are not judged.";

/* The finding, and what to change. */
static const char text_finding[] =
	"Padding takes {} of busy time: data fills {} of the tiles of `{}`";
static const char text_best_fit[] = "Best fit: {}.";
static const char text_choose[] = "Choose sizes that fill tiles: {}.";
static const char text_finding_most[] = " Most in `{}`: {}; data fills {} of its tiles.";
static const char text_space_to_depth_tensorflow[] =
	"Space-to-depth in the input pipeline: `tf.nn.space_to_depth(image, 2)` makes {} features of "
	"{}; adapt the first kernel.";
static const char text_space_to_depth[] =
	"Space-to-depth in the input pipeline: reshape and transpose each 2 × 2 pixels into features, "
	"{} instead of {}; adapt the first kernel.";
static const char text_batch[] =
	"Raise the batch on each core from {} to {}, or another multiple of {}, if memory allows.";
static const char text_dimension[] =
	"Make the {} dimension a multiple of {}: {} takes no longer than {} with today's padding.";

/* Tables; their columns: padding_columns.h. */
static const char caption_operations[] =
	"Operations with a convolution or dot, by device time lost to padding";
static const char caption_nothing_lost[] =
	"Operations with a convolution or dot, the longest first";
static const char title_nothing_lost[] = "Each operation with a convolution or dot";
static const char text_drawn[] =
	"The {} of `{}` in its tiles: of {} lanes the {} dimension fills {}, of {} sublanes the {} "
	"dimension {}.";
static const char caption_options[] =
	"Sizes at which the operations that lose most would fit better, by time saved for the same "
	"data";
static const char title_dimensions[] = "Dimension by dimension";
static const char caption_dimensions[] =
	"Each dimension, minor-most first, of the operations that lose most";
static const char caption_buffers[] =
	"Other operations whose result holds 1 MiB of padding or more";

/* Why nothing is judged, … */
static const char why_no_hlo[] =
	"the profile holds no HLO that could be read, so layouts are unknown";
static const char why_untiled[] = "this device stores arrays without tiles, so nothing is padded";
static const char why_no_product[] = "no convolution or dot was measured";
/* … or a figure is missing. */
static const char why_no_fit[] = "the fit is unknown";
static const char why_no_tiles[] = "the layout has no tiles";
static const char why_no_sizes[] = "the tool file does not give array sizes";
static const char why_empty[] = "the array is empty";
static const char why_as_now[] = "as it is now";

/* How figures are computed. */
static const char how_padding[] =
	"Arrays are stored in tiles, usually of 8 sublanes × 128 lanes; what does not fill the last "
	"tile of a dimension is padding that is stored, moved and multiplied like data. Tiled sizes "
	"follow XLA's repeated tiling of the layout in the program's HLO. Fit of an array: elements / "
	"padded elements; of an operation: the worst of result, left (lhs) and right operand (rhs) of "
	"its convolution or dot, and of several in a fusion. Time lost is self time × (1 − fit), "
	"summed over all devices: an upper bound on savings, if time is proportional to padded "
	"elements. ▲ marks a fit below 25 %, ■ below 50 %, where at least 1 % of busy time is lost. "
	"Matrix unit: the largest share of its 128 × 128 multipliers (256 × 256 since v6e) that the "
	"operation can keep busy in any arrangement: the summed terms along one side (input features × "
	"window of a convolution, the contracting dimensions of a dot), the better fitting of the "
	"result's rows and columns along the other, each over the next multiple of the side. Padding "
	"moved: padded minus plain bytes of result and operands in HBM, × occurrences. In a kernel "
	"gradient (its window is larger than its result, and the framework names it so) HLO calls the "
	"batch feature and the features batch; the lists of sizes use the layer's names, the table of "
	"dimensions HLO's.";

#endif
