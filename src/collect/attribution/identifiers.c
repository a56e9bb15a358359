/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/identifiers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "collect/procfs/procfs.h"

/* One variable as it comes in, of which a byte more is kept than a name and a value may have. */
struct variable {
	char text[IDENTIFIER_NAME_LIMIT + 1 + IDENTIFIER_VALUE_LIMIT + 1];
	size_t len;
};

static size_t name_len(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return isdigit((unsigned char)*text) || len > IDENTIFIER_NAME_LIMIT ? 0 : len;
}

int identifiers_parse(const char *text, struct identifiers *ret, struct error *err)
{
	static const char between[] = ", \t";
	struct identifiers found = { 0 };

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t len = name_len(text);

		if (len == 0 || (text[len] && !strchr(between, text[len])))
			return error_set(err, -EINVAL, "identifiers: '%.40s' is no variable's name",
					 text);
		if (found.count == IDENTIFIERS_MAX)
			return error_set(err, -EINVAL, "identifiers: more than %d names",
					 IDENTIFIERS_MAX);
		memcpy(found.names[found.count++], text, len);
		text += len;
	}
	*ret = found;
	return 0;
}

static bool is_sane(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (iscntrl((unsigned char)value[i]))
			return false;
	return utf8_valid(value, len);
}

/* Keeps the value of a variable of the list. Of two of a name the first counts, as for getenv. */
static void take(const struct identifiers *identifiers, const struct variable *variable,
		 bool seen[IDENTIFIERS_MAX], struct identifier_values *ret)
{
	const char *equals = memchr(variable->text, '=', variable->len);
	size_t name = equals ? (size_t)(equals - variable->text) : 0;
	size_t value = equals ? variable->len - name - 1 : 0;

	for (size_t i = 0; name && i < identifiers->count; i++) {
		if (strlen(identifiers->names[i]) != name ||
		    memcmp(identifiers->names[i], variable->text, name) != 0)
			continue;
		if (!seen[i] && value <= IDENTIFIER_VALUE_LIMIT && is_sane(equals + 1, value))
			memcpy(ret->texts[i], equals + 1, value);
		seen[i] = true;
		return;
	}
}

static int read_environment(int fd, const struct identifiers *identifiers,
			    struct identifier_values *ret)
{
	bool seen[IDENTIFIERS_MAX] = { false };
	struct variable variable = { .len = 0 };
	char part[4096];
	size_t total = 0;
	ssize_t got;

	while (total < IDENTIFIERS_ENVIRONMENT && (got = read(fd, part, sizeof(part))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (!part[i]) {
				take(identifiers, &variable, seen, ret);
				variable.len = 0;
			} else if (variable.len < sizeof(variable.text)) {
				variable.text[variable.len++] = part[i];
			}
		}
		total += (size_t)got;
	}
	return total == 0 && got < 0 ? -errno : 0;
}

int identifiers_read(const struct identifiers *identifiers, uint32_t pid, uint64_t start_ns,
		     struct identifier_values *ret)
{
	struct identifier_values values = { 0 };
	CLEANUP(closep) int fd = -1;
	uint64_t shown_ns;
	char path[48];
	int result = 0;

	*ret = values;
	if (identifiers->count == 0)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	result = read_environment(fd, identifiers, &values);
	/* Who has the pid now, and is the one that is meant, had it before, too. */
	if (result == 0 && start_ns)
		result = procfs_started(pid, &shown_ns);
	if (result == 0 && start_ns && !procfs_same_start(shown_ns, start_ns))
		result = -ESRCH;
	if (result == 0)
		*ret = values;
	return result;
}

const char *identifiers_get(const struct identifiers *identifiers,
			    const struct identifier_values *values, const char *name)
{
	for (size_t i = 0; i < identifiers->count; i++)
		if (strcmp(identifiers->names[i], name) == 0)
			return values->texts[i];
	return "";
}
