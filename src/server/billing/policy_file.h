/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/policy/policy.h"

/* Reads the file of settings of costs (cost/policy/policy.h). One that is absent gives an empty
 * policy. -EINVAL, -EFBIG, -ENOMEM, or what open and read fail with, with words. */
int cost_policy_read(const char *path, struct cost_policy **ret, struct error *err);
