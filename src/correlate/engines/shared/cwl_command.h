/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* The command line of a program that runs workflows in CWL: `PROGRAM [OPTIONS] FILE.cwl …`. */
struct exec_view;
struct run;

bool cwl_command_begins(const struct exec_view *exec);
/* Names the run after the workflow's file, after its folder where that is main.cwl or workflow.cwl.
 */
void cwl_command_describe(struct run *run, const struct exec_view *exec);
