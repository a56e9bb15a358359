/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "findings/slowness/slowness_facts.h"

struct finding_run;
struct server;

/* The facts of the analysis of slowness with what owns them: the only place that reads them from
 * queries. */
struct slowness_source;

/* Of a run with this id; its names stay the caller's. Errors as of query_named; -ENOMEM with words.
 */
int slowness_read(struct server *server, const struct finding_run *run,
		  struct slowness_source **ret, struct error *err);
const struct slowness_facts *slowness_source_facts(const struct slowness_source *source);
void slowness_source_free(struct slowness_source *source);
