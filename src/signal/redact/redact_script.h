/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_command.h"

/* Arguments that are scripts. */
enum redact_script {
	REDACT_NO_SCRIPT,
	REDACT_SHELL_SCRIPT, /* "bash -ec SCRIPT" */
	REDACT_CODE          /* "python -c SCRIPT", of Perl, R, awk … */
};

/* What the argument at `at` is. */
enum redact_script redact_script(const struct redact_command *command, size_t at);
