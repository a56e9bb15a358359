/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/queries/named_query_private.h"

/* Queries about what providers list: parameters and columns. What each answers is said in its .sql
 * file. */

QUERY(inventory_parts, NO_PARAMS,
      COLUMNS(TEXT(account), TEXT(provider), TEXT(account_id), TEXT(region), TEXT(what),
	      TIME(listed_at), BOOL(complete), TEXT(error)));

QUERY(waste_machines, PARAMS(TIME(now_at)),
      COLUMNS(TEXT(account), TEXT(provider), TEXT(account_id), TEXT(region), TEXT(zone), TEXT(id),
	      TEXT(name), TEXT(hostname), TEXT(instance_type), TEXT(purchase), TEXT(image),
	      TEXT(kept_by), TEXT(owner), JSON(tags), TIME(launched_at), TIME(first_listed_at),
	      TIME(listed_at), TEXT(listed), BOOL(has_agent), DOUBLE(usd_hour)));

QUERY(waste_volumes, PARAMS(TIME(now_at)),
      COLUMNS(TEXT(account), TEXT(provider), TEXT(account_id), TEXT(region), TEXT(zone), TEXT(id),
	      TEXT(name), TEXT(volume_type), I64(bytes), TEXT(owner), JSON(tags), TEXT(attached_to),
	      TIME(created_at), TIME(first_listed_at), TIME(detached_since), TIME(listed_at),
	      TEXT(listed)));
