/* JSON as a tree in an arena, for texts of which a reader wants to look at members in any order. */
#ifndef TP_STORED_TREE_H
#define TP_STORED_TREE_H

#include "base/err.h"
#include "base/slice.h"
#include "codec/json_pull.h"

struct tp_arena;

struct tp_node {
	enum tp_pull_type type; /* never an END */
	struct tp_slice key;    /* of a member of an object */
	struct tp_slice text;   /* STRING: unescaped; NUMBER: as written */
	struct tp_node *first, *next;
	size_t count;         /* of members or elements */
	struct tp_node *hint; /* where the last member was found: the next one most often follows */
};

/* The tree of a text that lives as long as the arena. wanted: of which tables, by their id, the rows are wanted, others having
 * none; NULL: of all. NULL and err (FORMAT, with the offset in `name`) when it is not JSON, is cut off or
 * nested deeper than any report. */
struct tp_node *tp_tree_read(struct tp_slice json, const char *name,
	bool (*wanted)(struct tp_slice id), struct tp_arena *arena, struct tp_err *err);

/* The member with this key; NULL: there is none, or the node is no object (or NULL). */
struct tp_node *tp_tree_member(struct tp_node *object, const char *key);
struct tp_node *tp_tree_member_of(struct tp_node *object, struct tp_slice key);

/* Its text when it is a string; empty for all others and for NULL. */
struct tp_slice tp_tree_text(struct tp_node *object, const char *key);

#endif
