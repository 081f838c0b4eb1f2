/* The sample document: every kind of block, every role and hue, missing values and hostile text, with plausible figures. */
#ifndef TP_TESTS_SAMPLE_DOC_H
#define TP_TESTS_SAMPLE_DOC_H

struct tp_arena;
struct tp_block;
struct tp_doc;

/* Sound: tp_doc_check accepts it. */
struct tp_doc *sample_doc(struct tp_arena *arena);

/* Its parts: the first screen; the findings at length; what follows them. */
void sample_summary(struct tp_doc *doc);
void sample_findings(struct tp_doc *doc);
void sample_tables(struct tp_doc *doc);
void sample_roofline(struct tp_doc *doc, struct tp_block *section);
void sample_grid(struct tp_doc *doc, struct tp_block *section);
void sample_curves(struct tp_doc *doc, struct tp_block *section);
void sample_timeline(struct tp_doc *doc);

/* 60 step times in ms, drawn once and for all; and the parts that each consists of, eight a step. */
enum { SAMPLE_STEPS = 60, SAMPLE_CLASSES = 8 };
const double *sample_step_ms(struct tp_doc *doc);
const double *sample_class_ms(struct tp_doc *doc, int class_index);

#endif
