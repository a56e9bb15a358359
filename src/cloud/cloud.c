/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/cloud.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* catalogue.tsv; its first lines explain the format. */
extern const char cloud_catalogue[];

#define FIELD_LIMIT 8
#define FIELD_SIZE  160

struct line {
	char fields[FIELD_LIMIT][FIELD_SIZE]; /* "" where there are no more */
};

static void split(const char *text, const char *end, struct line *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < FIELD_LIMIT && text < end; i++) {
		const char *tab = memchr(text, '\t', (size_t)(end - text));
		size_t len = (size_t)((tab ? tab : end) - text);
		if (len < FIELD_SIZE)
			memcpy(ret->fields[i], text, len);
		text += len + 1;
	}
}

/* The line that begins with these fields. Lines are a few thousand: a walk takes microseconds and
 * nothing has to be kept. */
static bool find(struct line *ret, const char *const *fields, size_t count)
{
	char start[3 * FIELD_SIZE];
	size_t len = 0;
	for (size_t i = 0; i < count; i++) {
		size_t field_len = strlen(fields[i]);
		if (len + field_len + 1 > sizeof(start) || strpbrk(fields[i], "\t\n"))
			return false;
		memcpy(start + len, fields[i], field_len);
		start[len + field_len] = '\t';
		len += field_len + 1;
	}
	for (const char *at = cloud_catalogue; *at != '\0';) {
		const char *end = strchrnul(at, '\n');
		if (strncmp(at, start, len) == 0) {
			split(at, end, ret);
			return true;
		}
		at = *end == '\n' ? end + 1 : end;
	}
	return false;
}

#define FIND(line, ...)                                  \
	find(line, (const char *const[]){ __VA_ARGS__ }, \
	     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static double number(const char *text)
{
	return strtod(text, NULL);
}

/* "m6id" of "m6id.large", "n2" of "n2-standard-4". */
static void family_of(const char *type, char family[FIELD_SIZE])
{
	size_t len = strcspn(type, ".-");
	snprintf(family, FIELD_SIZE, "%.*s", (int)(len < FIELD_SIZE ? len : 0), type);
}

/* What a price in the base region becomes in another. */
static void move_price(const char *provider, const char *region, const char *type,
		       struct cloud_price *price)
{
	char family[FIELD_SIZE];
	struct line line;
	family_of(type, family);
	price->exact = false;
	if (FIND(&line, "factor", provider, region, family))
		price->exact = number(line.fields[5]) > 0;
	else if (!FIND(&line, "factor", provider, region, "*"))
		return;
	price->usd_hour *= number(line.fields[4]);
}

int cloud_price(const char *provider, const char *region, const char *type,
		double configured_usd_hour, struct cloud_price *ret)
{
	struct line instance, about;
	struct cloud_price price = { .exact = true };
	if (configured_usd_hour > 0) {
		*ret = (struct cloud_price){ .usd_hour = configured_usd_hour,
					     .exact = true,
					     .source = "configured" };
		return 0;
	}
	if (!provider || !type || !FIND(&instance, "type", provider, type) ||
	    !FIND(&about, "provider", provider))
		return -ENOENT;
	price.usd_hour = number(instance.fields[6]);
	if (!(price.usd_hour > 0))
		return -ENOENT;
	bool known = region && region[0] != '\0';
	if (!known)
		price.exact = false;
	else if (strcmp(region, about.fields[2]) != 0)
		move_price(provider, region, type, &price);
	snprintf(price.source, sizeof(price.source), "%.8s on demand, %.32s%s, list of %.16s",
		 provider, known ? region : about.fields[2], price.exact ? "" : " (estimated)",
		 about.fields[3]);
	*ret = price;
	return 0;
}

int cloud_instance(const char *provider, const char *type, struct cloud_instance *ret)
{
	struct line line;
	if (!provider || !type || !FIND(&line, "type", provider, type))
		return -ENOENT;
	*ret = (struct cloud_instance){
		.vcpus = number(line.fields[3]),
		.memory_bytes = (uint64_t)number(line.fields[4]) << 20,
		.arch = strcmp(line.fields[5], "arm64") == 0 ? "arm64" : "x86_64",
		.usd_hour = number(line.fields[6]),
	};
	return 0;
}
