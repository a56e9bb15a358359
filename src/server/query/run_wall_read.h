/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/query/run_wall.h"

/* Reads the executions of a run from the store, page by page, and finds where the wall time of its
 * tasks went. *ret is zero, and is cleared by the caller in any case. -ENOMEM; -EIO with words. */
int run_wall_read(struct run_wall *ret, struct server *server, const char *id, struct error *err);
