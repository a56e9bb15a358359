/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/attribution/file_helper.h"

#define OUTPUT_RECORD_BYTES (1u << 20) /* a longer one is not read */
#define RULE_NAME_BYTES     201        /* with the NUL */

/*
 * What an engine recorded of a file that a task of its wrote (Snakemake's metadata): a JSON object
 * in which "rule" names what made the file. Nothing else of it is kept. `path` lies below the
 * folder: no part of it is a link, and it ends at a regular file of this owner, written at `since`
 * (ns of the wall clock) or later: what an earlier run left is not taken. 0, or -errno: -ENOENT:
 * there is none yet; -EINVAL: it is not such a file, or not (whole) such JSON; -EPERM: another
 * user's; -EFBIG; -ESTALE: an earlier one.
 */
int output_record_read(int folder, const char *path, uid_t owner, int64_t since,
		       char rule[RULE_NAME_BYTES]);
/* The same, asked of the helper: also -ETIMEDOUT and what else file_helper.h says; place: of the
 * folder. */
int output_record_ask(struct file_helper *helper, uint64_t place, int folder, const char *path,
		      uid_t owner, int64_t since, char rule[RULE_NAME_BYTES]);
/* The name in such a JSON. false: it has none. */
bool output_record_parse(const char *text, size_t len, char rule[RULE_NAME_BYTES]);
