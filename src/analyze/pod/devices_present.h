/* The section on devices: their busy time and use. */
#ifndef TP_ANALYZE_DEVICES_PRESENT_H
#define TP_ANALYZE_DEVICES_PRESENT_H

struct tp_doc;
struct tp_pass_ctx;

/* Of tp_pass_devices. */
extern const struct tp_pass tp_pass_devices_section;

/* Figures of each device, which stand after those of all together that other passes register. */
void tp_devices_scoped_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
