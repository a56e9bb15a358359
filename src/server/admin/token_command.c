/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/token_command.h"

#include <stdio.h>
#include <string.h>

#include "server/access/audit.h"
#include "server/access/token_record.h"
#include "server/admin/admin.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} COMMANDS[] = {
	{ "create", token_create },
	{ "list", token_list },
	{ "revoke", token_revoke },
};

int token_audit(const struct settings *settings, const char *action, const char *id,
		const char *name, struct error *err)
{
	char subject[TOKEN_ID_SIZE + TOKEN_NAME_SIZE + 16];
	const struct audit_entry entry = { .who = admin_who(),
					   .action = action,
					   .subject = subject,
					   .from = "local",
					   .result = "done" };

	snprintf(subject, sizeof(subject), "token %s (%s)", name, id);
	return audit_write(settings->data_folder, &entry, err);
}

static int run(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(COMMANDS) / sizeof(COMMANDS[0]); i++)
		if (strcmp(COMMANDS[i].name, argv[1]) == 0)
			return COMMANDS[i].run(argc - 1, argv + 1);
	fputs("tracer-lake: token: say create, list or revoke: tracer-lake --help\n", stderr);
	return ADMIN_USAGE;
}

const struct admin_command ADMIN_TOKEN = {
	.name = "token",
	.summary =
		"token create --scope SCOPE [--name N] [--host ID|--bind-first]\n"
		"      [--group G] [--expires 90d] [--user U]… [--label K=V]… [--batches-per-second N]\n"
		"      [--bytes-per-second SIZE] [--requests-at-once N]: prints a new token, once;\n"
		"      scopes: " TOKEN_SCOPES "\n"
		"  token list [--json]: the tokens, with their last use\n"
		"  token revoke ID: refuses a token from now on",
	.run = run,
};
