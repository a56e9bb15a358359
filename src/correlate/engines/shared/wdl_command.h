/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* The command line of a program that runs workflows in WDL: `PROGRAM run FILE.wdl …`. */
struct exec_view;
struct run;

bool wdl_command_begins(const struct exec_view *exec);
/* Names the run after the workflow's file, after its folder where that is main.wdl or workflow.wdl.
 */
void wdl_command_describe(struct run *run, const struct exec_view *exec);
