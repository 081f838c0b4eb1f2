/* The tables that comparisons look at: what a summary keeps, and nothing else may be asked for (tp_look_table). */
#ifndef TP_REPORT_COMPARED_H
#define TP_REPORT_COMPARED_H

enum { TP_COMPARED_TABLES = 13 };

/* Patterns of ids (tp_id_fits); of several tables that fit one the first is meant. */
extern const char *const tp_compared_tables[TP_COMPARED_TABLES];

#endif
