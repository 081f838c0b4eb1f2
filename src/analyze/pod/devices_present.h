/* The section on devices: their busy time and use. */
#ifndef TP_ANALYZE_DEVICES_PRESENT_H
#define TP_ANALYZE_DEVICES_PRESENT_H

/* Of tp_pass_devices. */
extern const struct tp_pass tp_pass_devices_section;

/* Likewise: the figures of each device, which stand behind those of all together that other passes register. */
extern const struct tp_pass tp_pass_devices_each;

#endif
