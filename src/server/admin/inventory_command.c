/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "inventory/inventory.h"
#include "server/admin/admin.h"

struct inventory_options {
	char *file, *account;
};

static const struct config_option OPTIONS[] = {
	{ .key = "file",
	  .type = CONFIG_TEXT,
	  .offset = offsetof(struct inventory_options, file),
	  .fallback = "",
	  .help = "the settings of the accounts; else the lake's inventory-file" },
	{ .key = "account",
	  .type = CONFIG_TEXT,
	  .offset = offsetof(struct inventory_options, account),
	  .fallback = "",
	  .help = "only the account of this name" },
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

static int print_line(void *context, const char *line, size_t len)
{
	return fwrite(line, 1, len, stdout) == len && putchar('\n') != EOF ? 0 : -EIO;
}

/* Lists each account, also after one that failed; the first error. */
static int list_all(const struct inventory_settings *settings, const char *only, struct error *err)
{
	const struct inventory_sink sink = { .line = print_line };
	size_t listed = 0;
	int first = 0;

	for (size_t i = 0; i < settings->count; i++) {
		const struct inventory_account *account = &settings->accounts[i];
		struct error words = { "" };
		int rc;

		if (*only && strcmp(only, account->name) != 0)
			continue;
		listed++;
		rc = inventory_list(account, &sink, &words);
		if (rc && !first)
			first = error_set(err, rc, "account %s is not listed completely: %s",
					  account->name, error_text(&words));
	}
	if (listed == 0)
		return error_set(err, -ENOENT, "there is no account%s%s in the settings",
				 *only ? " " : "", only);
	return first;
}

static int run(const struct settings *lake, const struct inventory_options *options)
{
	CLEANUP(inventory_settings_freep) struct inventory_settings *settings = NULL;
	struct error err = { "" };

	if (inventory_settings_read(*options->file ? options->file : lake->inventory_file,
				    &settings, &err))
		return admin_say(&err, ADMIN_USAGE);
	if (list_all(settings, options->account, &err))
		return admin_say(&err, EXIT_FAILURE);
	return fflush(stdout) == 0 ? 0 : EXIT_FAILURE;
}

static int run_inventory(int argc, char **argv)
{
	struct inventory_options options = { 0 };
	struct settings lake = { 0 };
	struct error err = { "" };
	size_t names = 0;
	int status =
		admin_read(&lake, &options, OPTIONS, OPTIONS_COUNT, NULL, &names, argc, argv, &err)
			? admin_say(&err, ADMIN_USAGE)
			: run(&lake, &options);

	config_clear(&options, OPTIONS, OPTIONS_COUNT);
	settings_clear(&lake);
	return status;
}

const struct admin_command ADMIN_INVENTORY = {
	.name = "inventory",
	.summary = "inventory [--file FILE] [--account NAME]: lists the machines and volumes of "
		   "accounts once, as JSON lines",
	.run = run_inventory,
};
