/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/terminal/print.h"
#include "cli/local/rules_explain.h"
#include "collect/agent/rules_folder.h"
#include "correlate/rules/rules.h"

/* `tracer rules check` and `tracer rules explain`: checks files of rules; shows which rule names a
 * command. */

struct rules_settings {
	struct rules_explain explain;
	char *folder;
	bool json;
};

static const struct config_option options[] = {
	{ "rules-folder", CONFIG_TEXT, offsetof(struct rules_settings, folder),
	  "/etc/tracer/rules.d", 0, 0, "folder of rules, read after the built-in ones" },
	{ "json", CONFIG_BOOL, offsetof(struct rules_settings, json), "false", 0, 0, "print JSON" },
	{ "cwd", CONFIG_TEXT, offsetof(struct rules_settings, explain.cwd), "", 0, 0,
	  "explain: the working directory" },
	{ "image", CONFIG_TEXT, offsetof(struct rules_settings, explain.image), "", 0, 0,
	  "explain: the container's image" },
	{ "parent", CONFIG_TEXT, offsetof(struct rules_settings, explain.parent), "", 0, 0,
	  "explain: the tool that starts the command" },
	{ "user", CONFIG_TEXT, offsetof(struct rules_settings, explain.user), "", 0, 0,
	  "explain: the user who runs the command" },
};

DEFINE_CLEANUP(struct rules *, rules_free)

static void warn(const char *line, void *context)
{
	size_t *count = context;

	(*count)++;
	fputs("warning: ", stdout);
	print_text(stdout, line);
	putchar('\n');
}

/* Loads the files that the user named and prints an error for each that is wrong. */
static int load_named(int count, char **files, struct rules **ret, int *ret_faults,
		      struct error *err)
{
	int rc = rules_new(ret, err);

	for (int i = 0; !rc && i < count; i++) {
		struct error fault = { 0 };

		if (rules_file_add(*ret, files[i], &fault) < 0) {
			fputs("error: ", stdout);
			print_text(stdout, error_text(&fault));
			putchar('\n');
			(*ret_faults)++;
		}
	}
	return rc;
}

static int check(const struct rules_settings *settings, int argc, char **argv)
{
	CLEANUP(rules_freep) struct rules *rules = NULL;
	CLEANUP(rules_freep) struct rules *built_in = NULL;
	struct error err = { 0 };
	size_t warnings = 0;
	int faults = 0, rc = rules_new(&built_in, &err);

	if (!rc && argc > 0)
		rc = load_named(argc, argv, &rules, &faults, &err);
	else if (!rc)
		rc = rules_folder_load(&rules, settings->folder, &err);
	if (rc)
		return command_failed("rules", &err);
	rules_check(rules, warn, &warnings);
	printf("%zu rules and %zu built-in ones: ", rules_count(rules) - rules_count(built_in),
	       rules_count(built_in));
	if (faults)
		printf("%d %s wrong, ", faults, faults == 1 ? "file is" : "files are");
	printf("%zu %s\n", warnings, warnings == 1 ? "warning" : "warnings");
	return faults ? EXIT_FAILED : EXIT_DONE;
}

static int explain(const struct rules_settings *settings, int argc, char **argv)
{
	CLEANUP(rules_freep) struct rules *rules = NULL;
	struct error err = { 0 };

	if (argc > 0 && strcmp(argv[0], "--") == 0) {
		argc--;
		argv++;
	}
	if (argc == 0)
		return command_usage("rules", "nothing to explain: name a command after --");
	if (rules_folder_load(&rules, settings->folder, &err) < 0)
		return command_failed("rules", &err);
	rules_explain(rules, &settings->explain, (size_t)argc, argv, settings->json);
	return EXIT_DONE;
}

static int run_rules(void *settings, int argc, char **argv)
{
	if (argc > 0 && strcmp(argv[0], "check") == 0)
		return check(settings, argc - 1, argv + 1);
	if (argc > 0 && strcmp(argv[0], "explain") == 0)
		return explain(settings, argc - 1, argv + 1);
	return command_usage("rules", "say what to do: check [FILE…] or explain -- CMD…");
}

extern const struct command cli_rules;
const struct command cli_rules = {
	.name = "rules",
	.arguments = "check [FILE…] | explain -- CMD…",
	.summary = "check rules, or show which rule names a command",
	OPTIONS(options),
	.settings_size = sizeof(struct rules_settings),
	.run = run_rules,
};
