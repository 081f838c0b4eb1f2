/* One HLO module: computations and their instructions, unpacked from a serialized xla.HloProto (hlo.proto). What can be
 * looked up is checked: operands stand before their users, callees before their callers, and all of them exist. */
#ifndef TP_MODEL_HLO_H
#define TP_MODEL_HLO_H

#include "base/map.h"
#include "model/shape.h"

/* Dimensions of a shape, or indices. */
struct tp_hlo_list {
	const uint32_t *at;
	uint32_t count;
};

struct tp_hlo_window_dim {
	int64_t size, stride, padding_low, padding_high, window_dilation, base_dilation;
	bool reversed;
};

struct tp_hlo_window {
	const struct tp_hlo_window_dim *dims; /* by spatial dimension */
	uint32_t count;
};

/* Which dimension of an operand or the result is what. */
struct tp_hlo_convolution {
	uint32_t input_batch, input_feature;
	uint32_t kernel_input_feature, kernel_output_feature;
	uint32_t output_batch, output_feature;
	struct tp_hlo_list input_spatial, kernel_spatial, output_spatial;
	uint64_t feature_groups, batch_groups; /* ≥ 1 */
};

struct tp_hlo_dot {
	struct tp_hlo_list lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
};

/* What few instructions have. */
struct tp_hlo_details {
	struct tp_hlo_window window;
	const struct tp_hlo_convolution *convolution; /* NULL: none */
	const struct tp_hlo_dot *dot;
	struct tp_slice fusion_kind; /* "kLoop" */
	struct tp_slice custom_call_target;
	struct tp_slice backend_config;      /* as it is, like frontend_attributes: may be any bytes */
	struct tp_slice frontend_attributes; /* serialized xla.FrontendAttributes */
	int64_t channel_id;                  /* 0: none */
	int64_t tuple_index, parameter_number;
};

struct tp_hlo_instruction {
	struct tp_slice name, opcode;
	struct tp_shape shape;
	struct tp_slice framework; /* op_name of the metadata */
	struct tp_slice source_file;
	int32_t source_line;
	uint32_t computation; /* index of the one that holds it */
	/* indices of instructions of the same computation, lower than its own */
	struct tp_hlo_list operands;
	struct tp_hlo_list called;            /* indices of computations, lower than its own's */
	const struct tp_hlo_details *details; /* never NULL */
	int64_t id;
	struct tp_slice message; /* serialized, for what is not unpacked here; well-formed */
};

struct tp_hlo_computation {
	struct tp_slice name;
	uint32_t first, count; /* its instructions */
	uint32_t root;         /* index of an instruction; TP_MAP_NONE when it has none */
	int64_t id;
	struct tp_slice message; /* serialized, as above */
};

struct tp_hlo_module {
	struct tp_slice name;
	struct tp_slice message; /* serialized, as above */
	struct tp_hlo_computation *computations;
	uint32_t computation_count;
	uint32_t entry;                          /* index of a computation */
	struct tp_hlo_instruction *instructions; /* computation after computation */
	uint32_t instruction_count;
	struct tp_map names; /* hash of a name → instruction */
	/* serialized xla.DeviceAssignmentProto; see model/hlo_pairs.h */
	struct tp_slice device_assignment;
};

/* The module in a serialized HloProto. It lives in arena, and so may its texts, which are valid UTF-8; others point into
 * bytes: what is to outlive arena must be copied. TP_ERR_FORMAT when the module is damaged, TP_ERR_LIMIT when it asks for
 * more than any program has. */
enum tp_status tp_hlo_read(struct tp_slice bytes, struct tp_arena *arena,
	const struct tp_hlo_module **out, struct tp_err *err);

/* The instruction with this name (names are unique in a module); NULL: none. */
const struct tp_hlo_instruction *tp_hlo_find(const struct tp_hlo_module *m, struct tp_slice name);

#endif
