/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "lake/store/boundary.h"

/*
 * What is known of hosts in their boots (CPUs, memory, time of the boot), in memory, so that a
 * batch without a Host record is judged without a query. Any thread may call. At HOST_FACTS_MAX
 * hosts all are forgotten.
 */
#define HOST_FACTS_MAX 100000

struct host_facts;

struct host_facts *host_facts_new(void);        /* NULL: no memory */
void host_facts_free(struct host_facts *facts); /* NULL is fine */

/* Copies what is known of a host into the fields of ret, which stay where there is nothing to know.
 * false: the store may know more. */
bool host_facts_find(struct host_facts *facts, const char *host_id, const char *boot_id,
		     struct boundary_facts *ret);
/* Notes what a batch or the store says. Without memory it is not noted. */
void host_facts_note(struct host_facts *facts, const char *host_id, const char *boot_id,
		     const struct boundary_facts *found);
/* All that the store knows is noted: until some is forgotten, it knows no other host. */
void host_facts_complete(struct host_facts *facts);
