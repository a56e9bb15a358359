/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct server;

/* The files of settings beside lake.yaml: cost.yaml, waste.yaml. Read once, at the start, before
 * the server becomes another user. -EINVAL and the like, with words. */
int policies_read(struct server *server, struct error *err);
void policies_clear(struct server *server);
