/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/attribution/attributor.h"
#include "collect/attribution/run_root_search.h"
#include "collect/process/exec_context.h"

struct file_helper;
struct rule_names;

struct attributor {
	struct attributor_parts parts;
	struct file_helper *file_helper;
	struct rule_names *rule_names;
	struct run_root_search search;
};

/* For exec_context.h. */
struct exec_tables attributor_tables(const struct attributor *attributor);
