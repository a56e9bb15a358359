/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/procfs/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define ENDS   " \t\n"

static const char *start(const char *text)
{
	return text + strspn(text, BLANKS);
}

bool fields_u64(const char **text, uint64_t *ret)
{
	const char *first = start(*text);
	unsigned long long number;
	char *end;

	if (*first < '0' || *first > '9')
		return false;
	errno = 0;
	number = strtoull(first, &end, 10);
	if (errno || !strchr(ENDS, *end))
		return false;
	*ret = number;
	*text = end;
	return true;
}

bool fields_u64s(const char **text, uint64_t *ret, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!fields_u64(text, &ret[i]))
			return false;
	}
	return true;
}

bool fields_word(const char **text, char *ret, size_t size)
{
	const char *first = start(*text);
	size_t len = strcspn(first, ENDS);

	if (!len || len >= size)
		return false;
	memcpy(ret, first, len);
	ret[len] = '\0';
	*text = first + len;
	return true;
}

bool fields_skip(const char **text, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *first = start(*text);
		size_t len = strcspn(first, ENDS);

		if (!len)
			return false;
		*text = first + len;
	}
	return true;
}
