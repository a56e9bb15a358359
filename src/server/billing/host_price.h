/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/machine_price.h"

/* What a host costs from now on, for the store (struct machine_prices): configured, or of a list.
 * server: a struct server. Any thread. */
void host_price(void *server, const struct machine *machine, struct machine_price *ret);
