/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_policy.h"

/* Reads the file of settings of sweeps (sweep/sweep_policy.h). One that is absent gives the
 * presets. -EINVAL, -EFBIG, -ENOMEM, or what open and read fail with, with words. */
int sweep_policy_read(const char *path, struct sweep_policy **ret, struct error *err);
