/* Rules that anyone may have written, and command lines named by them: YAML, a NUL, then arguments
 * parted by NULs. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "correlate/rules.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *copy = malloc(len + 1);
	struct rules *rules;
	struct error err = { "" };
	const char *const *names;
	size_t yaml_len, count;
	int r;

	MUST(copy && rules_new(&rules, &err) == 0);
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	yaml_len = strlen(copy);
	count = rules_names(rules, &names);
	r = rules_add(rules, "fuzz.yaml", copy, yaml_len, &err);
	MUST(r == 0 || r == -EINVAL || r == -EFBIG);
	MUST(r == 0 || !strncmp(err.text, "fuzz.yaml:", 10));
	MUST(!strchr(err.text, '\n'));
	MUST(r == 0 || rules_names(rules, &names) == count);
	if (yaml_len < len)
		name_command(rules, copy + yaml_len + 1, len - yaml_len - 1);
	rules_free(rules);
	free(copy);
	return 0;
}
