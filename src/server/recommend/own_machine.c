/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/own_machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "server/http/filter.h"

#define CPUS_MAX     100000
#define USD_HOUR_MAX 10000

static int read_amount(const char *value, double most, double *ret)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !(number > 0 && number <= most))
		return -EINVAL;
	*ret = number;
	return 0;
}

static int read_bytes(const char *value, double *ret)
{
	uint64_t bytes = 0;

	if (text_parse_bytes(value, &bytes) || !bytes)
		return -EINVAL;
	*ret = (double)bytes;
	return 0;
}

static int read_cpus(const char *value, struct own_machine *machine)
{
	return read_amount(value, CPUS_MAX, &machine->cpus);
}

static int read_memory(const char *value, struct own_machine *machine)
{
	return read_bytes(value, &machine->memory_bytes);
}

static int read_usd(const char *value, struct own_machine *machine)
{
	return read_amount(value, USD_HOUR_MAX, &machine->usd_hour);
}

static int read_storage(const char *value, struct own_machine *machine)
{
	return read_bytes(value, &machine->storage_bytes_s);
}

static int read_network(const char *value, struct own_machine *machine)
{
	return read_bytes(value, &machine->network_bytes_s);
}

static int read_name(const char *value, struct own_machine *machine)
{
	size_t len = strlen(value);

	(void)text_cut(value, len, machine->name, sizeof(machine->name));
	return len > 0 && len < sizeof(machine->name) ? 0 : -EINVAL;
}

static const struct {
	const char *key;
	int (*read)(const char *value, struct own_machine *machine);
} KEYS[] = {
	{ "cpus", read_cpus },       { "memory", read_memory },   { "usd_hour", read_usd },
	{ "storage", read_storage }, { "network", read_network }, { "name", read_name },
};

static int take(char *word, struct own_machine *machine)
{
	char *value = strchr(word, '=');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (strcmp(KEYS[i].key, word) == 0)
			return KEYS[i].read(value, machine);
	return -EINVAL;
}

static int read_machine(char *text, struct own_machine *ret)
{
	char *rest = NULL, bytes[32];
	int rc = 0;

	*ret = (struct own_machine){ .name = "" };
	for (char *word = strtok_r(text, ",", &rest); rc == 0 && word;
	     word = strtok_r(NULL, ",", &rest))
		rc = take(word, ret);
	if (rc || !(ret->cpus > 0 && ret->memory_bytes > 0 && ret->usd_hour > 0))
		return -EINVAL;
	if (!*ret->name)
		(void)snprintf(ret->name, sizeof(ret->name), "%g CPUs, %s", ret->cpus,
			       text_bytes((uint64_t)ret->memory_bytes, bytes, sizeof(bytes)));
	return 0;
}

int own_machines_read(const char *text, struct own_machine machines[OWN_MACHINES_MAX],
		      size_t *ret_count, struct error *err)
{
	char copy[FILTER_TEXT_MAX + 1], *rest = NULL;

	*ret_count = 0;
	(void)snprintf(copy, sizeof(copy), "%s", text ? text : "");
	for (char *one = strtok_r(copy, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
		if (*ret_count == OWN_MACHINES_MAX)
			return error_set(err, -EINVAL, "at most %d machines can be described",
					 OWN_MACHINES_MAX);
		if (read_machine(one, &machines[(*ret_count)++]))
			return error_set(err, -EINVAL,
					 "machine must be a machine such as "
					 "cpus=2,memory=8G,usd_hour=0.1 (also: name, storage and "
					 "network in bytes a second)");
	}
	return 0;
}
