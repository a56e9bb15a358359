/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "tune/replay/replay_run.h"

struct server;
struct store_rows;

/* How the CPU time of other runs of the same pipeline differs: settled ones that the reader (of
 * reader_param) may read, with as many tasks of the same steps, which all succeeded. head: the row
 * of the query `run`. Errors as of query_named. */
int replay_history_read(struct replay_run *run, struct server *server,
			const struct store_rows *head, const char *reader, struct error *err);
