/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "correlate/rules/rules.h"

#define RULES_FILES 256 /* in the folder */

/* The built-in rules with those of *.yaml in folder behind them, in order of name. A folder that is
 * not there is fine ("" too); a file that is wrong fails all, with its words. */
int rules_folder_load(struct rules **ret, const char *folder, struct error *err);
/* Adds the rules of one file. */
int rules_file_add(struct rules *rules, const char *path, struct error *err);
