/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "correlate/model/request.h"

/* The limits of cgroups, kept for tasks that begin in them later. */
#define LIMITS_CAP 16384 /* cgroups; the limits of further ones are not kept */

struct map;

struct map *limits_new(void);
void limits_free(struct map *limits);
/* An empty request removes the cgroup. */
void limits_set(struct map *limits, uint64_t cgroup_id, struct request request);
struct request limits_get(const struct map *limits, uint64_t cgroup_id);
