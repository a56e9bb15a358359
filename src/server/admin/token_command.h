/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/settings.h"

/* The commands below `tracer-lake token`; argv[0] is their name. They return the exit status. */
int token_create(int argc, char **argv);
int token_list(int argc, char **argv);
int token_revoke(int argc, char **argv);

/* Notes in the audit log that this process did something to a token. -errno with words. */
int token_audit(const struct settings *settings, const char *action, const char *id,
		const char *name, struct error *err);
