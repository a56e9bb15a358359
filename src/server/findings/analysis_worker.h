/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "signal.pb-c.h"

/*
 * Analyses runs that ended and changed since, so that lists can show a verdict without waiting: a
 * thread of its own, because the analysis of a large run takes seconds and the server's ticker must
 * not wait for it. While others use the lake, it takes a quarter of a core at most. It also settles
 * runs that ended (settle_runs.h), which comes first.
 */
struct analysis_worker;
struct server;

/* -ENOMEM, -EAGAIN with words. */
int analysis_worker_start(struct analysis_worker **ret, struct server *server, struct error *err);
/* Waits for the analysis that is being made. NULL is fine. */
void analysis_worker_stop(struct analysis_worker *worker);
/* Notices what a stored batch says of runs that ended: they are analysed again, at once and when
 * the last samples of their hosts have arrived. A batch about runs that run costs nothing; one with
 * a scan alone costs one look, where the scan found nothing lost. */
void analysis_worker_notice(struct analysis_worker *worker, const Signal__Batch *batch);
/* Prices were corrected or a bill was imported: what settled runs cost is looked at again. */
void analysis_worker_renew(struct analysis_worker *worker);
/* Asks for the analysis of a run that a list shows and that was not analysed yet; of more than a
 * few hundred at once some are forgotten until they are asked for again. */
void analysis_worker_want(struct analysis_worker *worker, const char *id);
