/* The lines that monitoring prints, as Cloud TPU's capture_tpu_profile has them (--monitoring_level). */
#ifndef TP_CLI_LEVELS_H
#define TP_CLI_LEVELS_H

#include <stdio.h>

struct tp_doc;
struct tp_profile;

/* Level 1: when, which device, and how much of its matrix units is used; 2: also devices, batch, idle, step time and input. What a profile
 * does not hold has its line, with the reason. */
void tp_levels_print(
	const struct tp_doc *doc, const struct tp_profile *profile, int level, FILE *out);

#endif
