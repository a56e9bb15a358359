/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile rules, and a command line that they name: YAML, a NUL, then arguments separated by NULs.
 */
#include "fuzz.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "correlate/rules/rule.h"

#define ARGS 16

static void name_command(const struct rules *rules, const char *text, size_t len)
{
	const char *argv[ARGS];
	size_t count = 0;
	char name[40];

	for (size_t i = 0; i < len && count < ARGS; i += strlen(text + i) + 1)
		argv[count++] = text + i;
	rules_tool(rules, count > 0 ? argv[0] : "", argv, count, name, sizeof(name));
	MUST(strlen(name) < sizeof(name) && utf8_valid(name, strlen(name)));
	MUST(!strpbrk(name, "\n\t\r"));
}

/* The text is good: it can be added, and commands are named by it. */
static void use(const char *yaml, size_t yaml_len, const char *text, size_t len)
{
	struct rules *rules;
	const char *const *names;
	struct error err = { "" };
	size_t count;
	int r;

	MUST(rules_new(&rules, &err) == 0);
	count = rules_names(rules, &names);
	r = rules_add(rules, "fuzz.yaml", yaml, yaml_len, &err);
	MUST(r == 0 || r == -EFBIG);
	MUST(r == 0 || rules_names(rules, &names) == count);
	name_command(rules, text, len);
	rules_free(rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *copy = malloc(len + 1);
	struct rule_set set;
	struct error err = { "" };
	size_t yaml_len;
	int r;

	MUST(copy);
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	yaml_len = strlen(copy);
	r = rule_set_parse(&set, "fuzz.yaml", copy, yaml_len, &err);
	MUST(r == 0 || r == -EINVAL || r == -EFBIG);
	MUST(r == 0 || !strncmp(err.text, "fuzz.yaml:", 10));
	MUST(!strchr(err.text, '\n'));
	if (r == 0) {
		rule_set_clear(&set);
		use(copy, yaml_len, copy + yaml_len + (yaml_len < len),
		    len - yaml_len - (yaml_len < len));
	}
	free(copy);
	return 0;
}
