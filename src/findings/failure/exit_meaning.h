/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What an exit code means by the documentation of this tool, or of any; NULL: nothing is known. */
const char *exit_meaning(const char *tool, const char *program, int code);
