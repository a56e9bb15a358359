/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_input.h"

/* Finds hosts by their id without a search through all of them; sweep_find makes one for its
 * finders. *ret refers to the hosts of input, and is the caller's to map_free(). -ENOMEM. */
int sweep_index_make(const struct sweep_input *input, struct map **ret);
/* The first host with this id; NULL: there is none. */
const struct sweep_host *sweep_index_find(const struct map *index, const char *id);
