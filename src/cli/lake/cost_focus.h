/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "cli/command.h"

/* Writes the costs from since_at to before until_at (UNIX seconds) as a FOCUS 1.2 file
 * (docs/cost.md), replaced as a whole, or to standard output (path "-"). It is asked for day by
 * day, so that no answer is longer than a client takes. Errors as of client_get, or of file_write.
 */
int cost_focus_write(const struct common *common, int64_t since_at, int64_t until_at,
		     const char *path, struct error *err);
