/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/rules_explain.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/terminal/print.h"
#include "correlate/command/command.h"

#define ARGS_LIMIT 1024
#define HEAD_SIZE \
	256 /* bytes of the first line of a script that the kernel reads (BINPRM_BUF_SIZE) */
#define PATH_SIZE 4096

/* The arguments that the kernel passes to the program: for a script, those of its interpreter. */
struct line {
	char path[PATH_SIZE], head[HEAD_SIZE];
	const char *exe;
	const char *argv[ARGS_LIMIT + 3];
	size_t argc;
	bool script;
};

struct verdict {
	const struct rules *rules;
	struct command command;
	char name[TOOL_NAME_SIZE];
	const char *program; /* the file that the user named */
	enum rule_tracking tracking;
};

/* Writes the path that a shell would run; the name itself where PATH has no such program. */
static void search(const char *name, char path[PATH_SIZE])
{
	const char *folders = getenv("PATH");

	(void)snprintf(path, PATH_SIZE, "%s", name);
	if (strchr(name, '/'))
		return;
	for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
		size_t len = strcspn(at, ":");

		(void)snprintf(path, PATH_SIZE, "%.*s/%s", (int)len, at, name);
		if (access(path, X_OK) == 0)
			return;
		at += len + (at[len] == ':');
	}
	(void)snprintf(path, PATH_SIZE, "%s", name);
}

/* Parses "#!/usr/bin/env python3": the interpreter and its argument, which is one even with blanks.
 */
static void read_head(struct line *line)
{
	CLEANUP(closep) int fd = open(line->path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, line->head, sizeof(line->head) - 1);
	char *word = line->head + 2, *argument;

	if (len < 3 || memcmp(line->head, "#!", 2) != 0)
		return;
	line->head[len] = '\0';
	word[strcspn(word, "\n")] = '\0';
	word += strspn(word, " \t");
	argument = word + strcspn(word, " \t");
	if (*argument)
		*argument++ = '\0';
	argument += strspn(argument, " \t");
	line->script = true;
	line->exe = word;
	line->argv[line->argc++] = word;
	if (*argument)
		line->argv[line->argc++] = argument;
}

static void read_line(struct line *line, size_t argc, char **argv)
{
	search(argv[0], line->path);
	line->exe = line->path;
	read_head(line);
	if (line->script) {
		line->argv[line->argc++] = line->path;
		argv++;
		argc--;
	}
	for (size_t i = 0; i < argc && i < ARGS_LIMIT; i++)
		line->argv[line->argc++] = argv[i];
	line->argv[line->argc] = NULL;
}

/* `#!/usr/bin/env python3` makes two images: env, then the program that env runs. */
static void skip_env(struct line *line)
{
	size_t skipped = 1;

	if (!line->script || strcmp(text_basename(line->exe), "env") != 0)
		return;
	while (skipped < line->argc &&
	       (line->argv[skipped][0] == '-' || strchr(line->argv[skipped], '=')))
		skipped++;
	if (skipped >= line->argc)
		return;
	line->argc -= skipped;
	memmove(line->argv, line->argv + skipped, (line->argc + 1) * sizeof(*line->argv));
	line->exe = line->argv[0];
}

static enum rule_tracking tracking_of(const struct rules *rules, const struct line *line)
{
	enum rule_tracking tracking = rules_tracking(rules, text_basename(line->path));

	return tracking == RULE_IN_RUNS && line->script
		       ? rules_tracking(rules, text_basename(line->exe))
		       : tracking;
}

static const char *words_of_tracking(enum rule_tracking tracking)
{
	static const char *const words[] = {
		[RULE_IN_RUNS] = "only within a tracked run",
		[RULE_BEGINS] = "begins with its exec",
		[RULE_NEVER] = "never: it is excluded",
	};

	return words[tracking];
}

static const char *words_of_step(const struct rule *rule)
{
	static const char *const words[] = {
		[RULE_TOOL] = "names its step",
		[RULE_HELPER] = "names its step only where no tool does",
		[RULE_LAUNCHER] = "names its step only where nothing else does",
		[RULE_INTERPRETER] = "names its step only where no tool does",
		[RULE_SHELL] = "names its step only where nothing else does",
	};

	return words[rule ? rule->kind : RULE_TOOL];
}

static void print_rule(const struct rules *rules, const struct rule *rule)
{
	if (!rule) {
		printf("none matches: the name is that of the file\n");
		return;
	}
	print_text(stdout, rules_origin(rules, rule));
	printf(":%u, in %s", rule->line, rule_section(rule));
	if (rule->name) {
		printf(", name \"");
		print_text(stdout, rule->name);
		printf("\"");
	}
	putchar('\n');
}

static void show(const struct verdict *verdict)
{
	const struct command *command = &verdict->command;

	print_text(stdout, verdict->name);
	printf("\n  program    ");
	print_text(stdout, verdict->program);
	putchar('\n');
	for (size_t i = 0; i < command->depth; i++) {
		printf("  through    ");
		print_text(stdout, command->through[i].subject);
		printf(": ");
		print_rule(verdict->rules, command->through[i].rule);
	}
	printf("  subject    ");
	print_text(stdout, command->subject);
	printf("\n  rule       ");
	print_rule(verdict->rules, command->rule);
	printf("  tracking   %s\n  step       %s\n", words_of_tracking(verdict->tracking),
	       words_of_step(command->rule));
	if (command->rule && command->rule->kind == RULE_LAUNCHER)
		printf("  starts     another command: explain that one by itself\n");
}

static void json_rule(struct json *json, const struct rules *rules, const struct rule *rule)
{
	json_key(json, "rule");
	if (!rule) {
		json_none(json);
		return;
	}
	json_object_begin(json);
	json_key(json, "file");
	json_text(json, rules_origin(rules, rule));
	json_key(json, "line");
	json_u64(json, rule->line);
	json_key(json, "section");
	json_text(json, rule_section(rule));
	json_object_end(json);
}

static void show_json(const struct verdict *verdict)
{
	static const char *const trackings[] = {
		[RULE_IN_RUNS] = "inside", [RULE_BEGINS] = "begins", [RULE_NEVER] = "excluded"
	};
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct json json;

	buffer_init(&text, 0);
	json_init(&json, &text, true);
	json_object_begin(&json);
	json_key(&json, "tool");
	json_text(&json, verdict->name);
	json_key(&json, "program");
	json_text(&json, verdict->program);
	json_key(&json, "subject");
	json_text(&json, verdict->command.subject);
	json_rule(&json, verdict->rules, verdict->command.rule);
	json_key(&json, "through");
	json_array_begin(&json);
	for (size_t i = 0; i < verdict->command.depth; i++) {
		json_object_begin(&json);
		json_key(&json, "subject");
		json_text(&json, verdict->command.through[i].subject);
		json_rule(&json, verdict->rules, verdict->command.through[i].rule);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_key(&json, "tracking");
	json_text(&json, trackings[verdict->tracking]);
	json_object_end(&json);
	if (!text.failed)
		printf("%s\n", text.data);
}

static const char *known(const char *text)
{
	return *text ? text : NULL;
}

void rules_explain(const struct rules *rules, const struct rules_explain *around, size_t argc,
		   char **argv, bool json)
{
	struct rule_context context = { .cwd = known(around->cwd),
					.image = known(around->image),
					.parent = known(around->parent),
					.user = known(around->user) };
	struct verdict verdict = { .rules = rules };
	struct line line = { 0 };

	read_line(&line, argc, argv);
	skip_env(&line);
	verdict.program = line.path;
	verdict.tracking = tracking_of(rules, &line);
	command_unwrap(rules, line.exe, line.argv, line.argc, &context, &verdict.command);
	command_name(&verdict.command, verdict.name, sizeof(verdict.name));
	if (json)
		show_json(&verdict);
	else
		show(&verdict);
}
