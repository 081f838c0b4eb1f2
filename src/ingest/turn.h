/* The files of a run that are read in one turn: events first, then copies of them, then what tools computed. Some are opened and read
 * ahead of the one that is wanted next. */
#ifndef TP_INGEST_TURN_H
#define TP_INGEST_TURN_H

#include "ingest/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_choice;
struct tp_coming;
struct tp_load_watch;
struct tp_pool;
struct tp_run;
struct tp_run_file;

/* Of which the files from `next` on have not been started. */
struct tp_turn {
	const struct tp_choice *choice;
	const struct tp_load_watch *watch; /* NULL: none */
	struct tp_pool *pool;
	const struct tp_run_file **files;
	struct tp_coming **coming; /* those that are on their way; else NULL */
	size_t count, next;
	uint64_t ahead_bytes;
};

/* In which turn a file is read. */
enum tp_reader_kind tp_turn_of(const struct tp_run_file *file);

/* Its files, in the order of the run; choice, watch and pool are set. */
void tp_turn_begin(struct tp_turn *t, const struct tp_run *run, enum tp_reader_kind which);

/* File number i, once it came; they are asked for in their order. alone: no others are read ahead. Valid until tp_turn_done(t, i). */
struct tp_coming *tp_turn_wait(struct tp_turn *t, size_t i, bool alone);

void tp_turn_done(struct tp_turn *t, size_t i);

/* Instead of tp_turn_wait, of a file that is not wanted: nothing behind it may have been started. */
void tp_turn_skip(struct tp_turn *t, size_t i);

void tp_turn_end(struct tp_turn *t);

#endif
