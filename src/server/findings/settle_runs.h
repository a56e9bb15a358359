/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* Settles runs that ended (lake/store/settle/store_settle.h), with their findings and wall time. */
struct server;

/* Settles one run that is due. Returns whether there was one, so that there may be more.
 * *ret_later: a run is due in a while, when nothing arrived of it until then. */
bool settle_next(struct server *server, bool *ret_later);
