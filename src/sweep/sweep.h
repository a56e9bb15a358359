/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_input.h"
#include "sweep/waste.h"

/*
 * Looks for waste, by the table of finders (finders.c): what is idle, stuck, forgotten, done again.
 * Pure. What is not known is no waste: a host without samples may be down, or its agent. What the
 * policy exempts is left out. Then each host's price is claimed once (sweep_claim), and the list is
 * sorted by price an hour, then by kind and id: those without a price last.
 */
int sweep_find(const struct sweep_input *input, struct wastes *ret); /* -ENOMEM, -ENOSPC */

/* Sets claimed_nusd: of the wastes that are about a host, or a part of it (a GPU, a task), each in
 * the order of finders claims its price as far as what is left of the host's price reaches. */
int sweep_claim(const struct sweep_input *input, struct wastes *wastes); /* -ENOMEM */
/* What all claimed wastes cost an hour. *ret_unknown: how many have no price. */
int64_t sweep_nusd_hour(const struct wastes *wastes, size_t *ret_unknown);

/* The kinds in the order of finders; NULL: beyond the last. */
const char *waste_kind(size_t index);
/* Of a kind, for people; NULL: there is none. "Host idle". */
const char *waste_title(const char *kind);
/* Whether what is found of this kind works, and would cost less on another machine: nothing was
 * wasted that is counted, since idle times within are counted as such. */
bool waste_is_cheaper(const char *kind);
