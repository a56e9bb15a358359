/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "lake/store/store.h"

struct link_rule;
struct node;

/* Links by which runs are joined, and the rules of each kind of link (run_match.h explains them).
 */

/* A run by one of its links. Texts are those of the rows. */
struct linked_run {
	const struct link_rule *rule; /* of the link's kind; NULL: of no known kind */
	const char *value, *run_id, *host_id, *engine, *command_digest;
	struct node *own, *merged; /* merged: the run it is a part of, else own */
	bool lead;                 /* false: an engine on another host started it as a job */
	bool is_new;               /* the link came with this batch */
	int64_t started_at, until_at;
};

struct link_rule {
	const char *kind;
	bool (*fits)(const struct linked_run *head, const struct linked_run *part);
	bool one_head;    /* no join while several heads fit; parts are no leads */
	bool latest_head; /* of several heads the one that started last; else first */
};

/* NULL: no known kind. A rule that is more trusted has a lower address. */
const struct link_rule *link_rule_find(const char *kind);
/* For qsort(): by rule and value; of one link heads before their parts. */
int linked_run_compare(const void *a, const void *b);
/* The current row of an answer of the query `linked_runs`; without nodes. The texts are the row's.
 */
void linked_run_read(struct linked_run *run, const struct store_rows *row);
