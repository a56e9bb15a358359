/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/command.h"

#include "base/text.h"

#include <string.h>

/* Where an interpreter's arguments lead. */
enum operand_kind { OPERAND_NONE, OPERAND_SCRIPT, OPERAND_MODULE };

struct operand {
	enum operand_kind kind;
	const char *text;
	size_t next; /* index of the argument behind it */
};

/* An option of a list, given as arg: exactly, or for long ones as "--option=VALUE". */
static bool list_takes(const struct rule_list *list, const char *arg, const char **ret_value)
{
	*ret_value = NULL;
	for (size_t i = 0; i < list->count; i++) {
		const char *option = list->texts[i];
		size_t len = 0;

		while (option[len] && arg[len] == option[len])
			len++;
		if (option[len])
			continue;
		if (!arg[len])
			return true;
		if (arg[len] == '=' && len > 2) {
			*ret_value = arg + len + 1;
			return true;
		}
	}
	return false;
}

/* What one option means to an interpreter; value is NULL where the next argument is it. */
static const struct rule_list *option_list(const struct rule *rule, const char *arg,
					   const char **ret_value)
{
	const struct rule_list *lists[] = { &rule->code, &rule->module, &rule->file, &rule->options,
					    NULL };

	for (size_t i = 0; lists[i]; i++)
		if (list_takes(lists[i], arg, ret_value))
			return lists[i];
	return NULL;
}

/* "-ec": the first letter that takes a value decides; the value is the rest, or the next argument.
 */
static const struct rule_list *cluster_list(const struct rule *rule, const char *arg,
					    const char **ret_value)
{
	*ret_value = NULL;
	if (rule->clusters != ANSWER_YES || arg[0] == '\0' || arg[1] == '-')
		return NULL;
	for (const char *letter = arg + 1; *letter; letter++) {
		const char option[] = { arg[0], *letter, '\0' };
		const char *ignored;
		const struct rule_list *list = option_list(rule, option, &ignored);

		if (list) {
			*ret_value = letter[1] ? letter + 1 : NULL;
			return list;
		}
	}
	return NULL;
}

/* "/dev/fd/3", "/proc/self/fd/3", "/dev/stdin": no script, but where commands are read from. */
static bool is_descriptor(const char *path)
{
	const char *name = text_basename(path);
	size_t folder = (size_t)(name - path);

	if (strcmp(path, "/dev/stdin") == 0)
		return true;
	return *name && strspn(name, "0123456789") == strlen(name) && folder >= 4 &&
	       strncmp(name - 4, "/fd/", 4) == 0 &&
	       (text_starts_with(path, "/dev/fd/") || text_starts_with(path, "/proc/"));
}

static struct operand operand_of(enum operand_kind kind, const char *text, size_t next)
{
	if (kind == OPERAND_SCRIPT && text && is_descriptor(text))
		kind = OPERAND_NONE;
	return (struct operand){ .kind = text && *text ? kind : OPERAND_NONE,
				 .text = text,
				 .next = next };
}

/* Finds what the interpreter runs in args. */
static struct operand find_operand(const struct rule *rule, const char *const *args, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *value;
		const struct rule_list *list;

		if (strcmp(args[i], "--") == 0)
			return operand_of(OPERAND_SCRIPT, i + 1 < count ? args[i + 1] : NULL,
					  i + 2);
		if (strcmp(args[i], "-") == 0) /* the standard input */
			break;
		if (args[i][0] != '-' && args[i][0] != '+')
			return operand_of(OPERAND_SCRIPT, args[i], i + 1);
		list = option_list(rule, args[i], &value);
		if (!list)
			list = cluster_list(rule, args[i], &value);
		if (!list)
			continue;
		if (list == &rule->code)
			break;
		if (!value)
			value = ++i < count ? args[i] : NULL;
		if (list != &rule->options)
			return operand_of(list == &rule->module ? OPERAND_MODULE : OPERAND_SCRIPT,
					  value, i + 1);
	}
	return operand_of(OPERAND_NONE, NULL, count);
}

static const struct rule *find(const struct rules *rules, const struct rule_context *context,
			       const struct command *command, const char *name)
{
	return rules_find(rules, &(struct rule_query){ .name = name,
						       .args = command->args,
						       .count = command->count,
						       .context = context });
}

/* The program itself: by its file's name, or, where no rule knows that, by what it was called as
 * (one busybox is many programs). */
static void find_program(const struct rules *rules, const char *exe, const char *const *argv,
			 size_t argc, const struct rule_context *context, struct command *ret)
{
	const char *called = argc > 0 ? text_basename(argv[0]) : "";

	if (*called == '-') /* a login shell */
		called++;
	ret->args = argc > 0 ? argv + 1 : argv;
	ret->count = argc > 0 ? argc - 1 : 0;
	ret->path = exe ? exe : "";
	ret->subject = text_basename(ret->path);
	ret->rule = *ret->subject ? find(rules, context, ret, ret->subject) : NULL;
	if (!ret->rule && *called) {
		ret->rule = find(rules, context, ret, called);
		if (ret->rule || !*ret->subject) {
			ret->subject = called;
			ret->path = argv[0];
		}
	}
}

void command_unwrap(const struct rules *rules, const char *exe, const char *const *argv,
		    size_t argc, const struct rule_context *context, struct command *ret)
{
	ret->depth = 0;
	find_program(rules, exe, argv, argc, context, ret);
	while (ret->depth < COMMAND_DEPTH) {
		struct operand operand;

		if (!ret->rule || !rule_is_interpreter(ret->rule))
			return;
		operand = find_operand(ret->rule, ret->args, ret->count);
		if (operand.kind == OPERAND_NONE)
			return;
		ret->through[ret->depth++] =
			(struct command_step){ .subject = ret->subject, .rule = ret->rule };
		ret->path = operand.text;
		ret->subject = operand.kind == OPERAND_SCRIPT
				       ? rules_script_name(rules, operand.text)
				       : operand.text;
		if (operand.next > ret->count)
			operand.next = ret->count;
		ret->args += operand.next;
		ret->count -= operand.next;
		ret->rule = find(rules, context, ret, ret->subject);
	}
}

/* The option by which an interpreter was given its program; NULL: none. */
static const char *code_option(const struct command *command)
{
	for (size_t i = 0; command->rule && i < command->count; i++) {
		const char *value;
		const struct rule_list *list;

		if (command->args[i][0] != '-' && command->args[i][0] != '+')
			return NULL;
		list = option_list(command->rule, command->args[i], &value);
		if (!list)
			list = cluster_list(command->rule, command->args[i], &value);
		if (list == &command->rule->code)
			return command->args[i];
		i += list && !value;
	}
	return NULL;
}

bool command_has_code(const struct command *command)
{
	return code_option(command) != NULL;
}

/* Of the options that give a shell its program -s alone has it read. */
bool shell_reads(const struct command *command)
{
	const char *option;

	if (!command->rule || command->rule->kind != RULE_SHELL)
		return false;
	option = code_option(command);
	return !option || (option[1] != '-' && strchr(option, 's') && !strchr(option, 'c'));
}

const struct rule *command_interpreter(const struct command *command)
{
	return command->depth > 0 ? command->through[command->depth - 1].rule : NULL;
}

bool command_is_script(const struct command *command)
{
	return !command->rule && command->depth > 0;
}
