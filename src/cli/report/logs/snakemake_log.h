/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define SNAKEMAKE_LOG ".snakemake.log" /* the end of the name of Snakemake's own log */

/* The newest log of Snakemake in the folder of a run, .snakemake/log, that was last written while
 * the run lasted or within the minute behind it. since, until: RFC 3339, UTC; until "": the run
 * lasts. Returns whether there is one; its path is in path. */
bool snakemake_log_find(const char *folder, const char *since, const char *until, char *path,
			size_t size);
