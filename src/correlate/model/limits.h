/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "correlate/model/request.h"

/* What cgroups allow, remembered for tasks that begin in them later. */
#define LIMITS_CAP 16384 /* cgroups; beyond, limits of further ones are not known */

struct map;

struct map *limits_new(void);
void limits_free(struct map *limits);
/* A request of nothing forgets the cgroup. */
void limits_set(struct map *limits, uint64_t cgroup_id, struct request request);
struct request limits_get(const struct map *limits, uint64_t cgroup_id);
