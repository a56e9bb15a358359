/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "machine.h"

/*
 * What the clouds' own advisers would say of a machine, by their published rules and presets, each
 * looking once a day at what their monitoring has (no memory: that needs an agent):
 *
 *  - AWS Trusted Advisor, check "Low Utilization Amazon EC2 Instances" (AWS Support user guide,
 * "Cost optimization"): 10 % or less daily average CPU utilization and 5 MB or less network I/O on
 * at least 4 of the previous 14 days.
 *  - AWS Compute Optimizer, idle (user guide, "Viewing idle resource recommendations"): peak CPU
 *    utilization below 5 % and network I/O below 5 MB a day in the lookback period, of 14 days.
 *  - AWS Compute Optimizer, over-provisioned (API reference, UtilizationPreference: P99.5 and a
 *    headroom of 20 %): half the machine would hold that of 14 days, at least 30 hours.
 *  - Google Cloud, idle VM recommendations ("Viewing and applying idle VM recommendations"): less
 *    than 0.03 vCPUs for 97 % of the time, received less than 2000 B/s and sent less than 1000 B/s
 *    for 95 %; of 14 days, of a new one from 5 days on.
 */
enum rule {
	RULE_TRUSTED_ADVISOR,
	RULE_TRUSTED_ADVISOR_CPU, /* without its condition on the network */
	RULE_OPTIMIZER_IDLE,
	RULE_OPTIMIZER_SIZE,
	RULE_GCP_IDLE,
	RULES,
};

/* The first day's end from `since` on, of 40 days, at which the rule holds; 0: none. */
void rules_judge(const struct machine *machine, int64_t since, int64_t ret_found_at[RULES]);
