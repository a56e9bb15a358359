/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"
#include "lake/store/upkeep/upkeep.h"

/* Work on the store as a whole. check and backup are called by any thread, beside everything else;
 * compact, forget and expire by the thread that writes. What each does is said in
 * lake/store/upkeep/upkeep.h. */
struct store_upkeep {
	int (*check)(void *engine, const struct upkeep *upkeep, struct buffer *report,
		     size_t *ret_faults, struct error *err);
	int (*backup)(void *engine, const struct upkeep *upkeep, char **ret_path,
		      struct error *err);
	/* Makes the new file beside the old one. */
	int (*compact)(void *engine, const struct upkeep *upkeep, char **ret_path,
		       struct error *err);
	/* Puts it in the place of the old one; no engine is open. An error leaves the old one. */
	int (*replace)(const struct store_options *options, const char *path,
		       struct upkeep_sizes *ret, struct error *err);
	int (*forget)(void *engine, const struct upkeep_subject *subject, bool dry,
		      struct upkeep_counts *ret, struct error *err);
	int (*expire)(void *engine, const struct upkeep_expire *expire, bool *ret_more,
		      struct error *err);
	int (*used)(void *engine, uint64_t *ret_bytes, struct error *err);
	/* By the thread that writes, when nothing was done for a while: frees the memory that rows
	 * take which are in no block of the database yet. Cheap where there are few. */
	int (*release)(void *engine, struct error *err);
	int (*verify)(const char *path, const struct upkeep *upkeep, uint64_t *ret_batches,
		      struct error *err);
};
