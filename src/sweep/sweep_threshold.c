/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep_threshold.h"

#define ROW(name, text, value, unit, reason) [SWEEP_##name] = { text, value, unit, reason },
const struct sweep_threshold_row SWEEP_THRESHOLD_ROWS[SWEEP_THRESHOLDS] = { SWEEP_THRESHOLD_TABLE(
	ROW) };
