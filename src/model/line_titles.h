/* What lines are called where readers meet them. */
#ifndef TP_MODEL_LINE_TITLES_H
#define TP_MODEL_LINE_TITLES_H

struct tp_profile;

/* Sets the title of each line: its name, and what tells it from others of the process that have that name. Lines and PyTorch traces of the profile
 * are final. Memory from its arena. */
void tp_title_lines(struct tp_profile *p);

#endif
