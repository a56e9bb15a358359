/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a caller may do. Admin includes the others; read, ingest and tell do not include each other.
 * Tell: to name what agents see, for a workflow engine; nothing else.
 * SCOPE_NONE: everybody.
 */
enum scope { SCOPE_NONE, SCOPE_READ, SCOPE_INGEST, SCOPE_TELL, SCOPE_ADMIN };

/* true when a caller who holds `held` may do what needs `needed`. */
static inline _Bool scope_allows(enum scope held, enum scope needed)
{
	return needed == SCOPE_NONE || held == SCOPE_ADMIN || held == needed;
}
