#include "correlate/rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rule_text_set(char **field, const char *text)
{
	*field = strdup(text);
	return *field ? 0 : -ENOMEM;
}

static void list_clear(struct rule_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->texts[i]);
	free(list->texts);
	*list = (struct rule_list){ 0 };
}

const char *rule_name_fault(const char *name)
{
	const char *star = strchr(name, '*');

	if (strchr(name, '/'))
		return "a name holds no '/': ";
	if (star && (strchr(star + 1, '*') || !name[1]))
		return "one '*' and something beside it: ";
	return NULL;
}

bool rule_is_interpreter(const struct rule *rule)
{
	return rule->kind == RULE_INTERPRETER || rule->kind == RULE_SHELL;
}

bool rule_list_has(const struct rule_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->texts[i], text) == 0)
			return true;
	return false;
}

void rule_free(struct rule *rule)
{
	if (!rule)
		return;
	list_clear(&rule->exe);
	list_clear(&rule->operand);
	list_clear(&rule->options);
	list_clear(&rule->code);
	list_clear(&rule->module);
	list_clear(&rule->file);
	free(rule->name);
	free(rule->subcommand_option);
	free(rule);
}

void script_rule_clear(struct script_rule *script)
{
	free(script->folder);
	free(script->strip);
	*script = (struct script_rule){ 0 };
}

void rule_set_clear(struct rule_set *set)
{
	for (size_t i = 0; set->rules && i < set->count; i++)
		rule_free(set->rules[i]);
	for (size_t i = 0; set->scripts && i < set->script_count; i++)
		script_rule_clear(&set->scripts[i]);
	free(set->rules);
	free(set->scripts);
	*set = (struct rule_set){ 0 };
}
