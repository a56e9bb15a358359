/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries of sweeps: parameters and columns. What each answers is said in its .sql file. */

QUERY(wastes, PARAMS(TIME(since_at), I64(limit)),
      COLUMNS(TEXT(kind), TEXT(id), TIME(since_at), TIME(found_at), TIME(ended_at), TEXT(outcome),
	      TEXT(host_id), DOUBLE(usd_hour), DOUBLE(counted_usd_hour), TEXT(subject), TEXT(name),
	      TEXT(run_id), TEXT(task_id), TEXT(who), TEXT(confidence), TEXT(summary),
	      JSON(evidence), TEXT(advice), TEXT(command), TIME(up_again_at)));
