/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "signal.pb-c.h"

struct attributor;
struct tree_link;

/*
 * By what a run's parts on several hosts are known to belong together, sent as Link
 * (proto/signal.proto): the folder it works in, the scheduler's job, the container, the trace id
 * that its user gave. Read of the run's root process while it lives, when the run is sent first.
 */

void link_send(const struct attributor *attributor, const Signal__Run *run,
	       const struct tree_link *link);
