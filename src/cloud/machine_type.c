/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/machine_type.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cloud/catalogue.h"

extern const char cloud_machines[];
extern const size_t cloud_machines_size;

#define START_SIZE   256
#define BYTES_OF_MEG 125000.0 /* of a million bits */
#define GIGA         1e9

/* Fields of the lines. */
enum { MACHINE_TYPE = 2, MACHINE_THREADS, MACHINE_CLOCK, MACHINE_FLAGS, MACHINE_NETWORK };
enum { MACHINE_NETWORK_PEAK = MACHINE_NETWORK + 1, MACHINE_STORAGE, MACHINE_LOCAL };
enum { PROVIDER_BASE = 2 };
enum { FACTOR_REGION = 2 };
enum { BAND = 4, BAND_SIZES };

static const struct cloud_interruption BANDS[] = { { 0, 0.05, "< 5 %" },
						   { 0.05, 0.1, "5 to 10 %" },
						   { 0.1, 0.15, "10 to 15 %" },
						   { 0.15, 0.2, "15 to 20 %" },
						   { 0.2, 1, "> 20 %" } };
#define BAND_COUNT (sizeof(BANDS) / sizeof(BANDS[0]))

static struct catalogue machines(void)
{
	return (struct catalogue){ cloud_machines, cloud_machines_size };
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static bool has_flag(const struct catalogue_line *line, char flag)
{
	const struct catalogue_field *flags = &line->fields[MACHINE_FLAGS];

	return memchr(flags->text, flag, flags->len) != NULL;
}

static int take(const char *provider, const struct catalogue_line *line,
		struct cloud_machine_type *ret)
{
	struct cloud_machine_type type = {
		.threads_per_core = catalogue_number(line, MACHINE_THREADS),
		.clock_ghz = catalogue_number(line, MACHINE_CLOCK),
		.network_bytes_s = catalogue_number(line, MACHINE_NETWORK) * 1000 * BYTES_OF_MEG,
		.network_peak_bytes_s =
			catalogue_number(line, MACHINE_NETWORK_PEAK) * 1000 * BYTES_OF_MEG,
		.storage_bytes_s = catalogue_number(line, MACHINE_STORAGE) * BYTES_OF_MEG,
		.local_bytes = catalogue_number(line, MACHINE_LOCAL) * GIGA,
		.burstable = has_flag(line, 'b'),
		.bare_metal = has_flag(line, 'm'),
		.previous_generation = has_flag(line, 'p'),
	};

	catalogue_text(line, MACHINE_TYPE, type.type, sizeof(type.type));
	text_cut(type.type, strcspn(type.type, ".-"), type.family, sizeof(type.family));
	if (cloud_instance(provider, type.type, &type.instance))
		return -ENOENT;
	*ret = type;
	return 0;
}

int cloud_machine_type(const char *provider, const char *type, struct cloud_machine_type *ret)
{
	struct catalogue_line line;

	if (!CATALOGUE_FIND_IN(machines(), &line, "machine", or_empty(provider), or_empty(type)))
		return -ENOENT;
	return take(provider, &line, ret);
}

/* Whether the first fields of the line are these. */
static bool begins(const struct catalogue_line *line, const char *kind, const char *provider)
{
	const char *const words[] = { kind, provider };

	for (size_t i = 0; i < 2; i++)
		if (line->fields[i].len != strlen(words[i]) ||
		    memcmp(line->fields[i].text, words[i], line->fields[i].len) != 0)
			return false;
	return true;
}

bool cloud_machine_type_next(const char *provider, const char *after,
			     struct cloud_machine_type *ret)
{
	char start[START_SIZE];
	struct catalogue_line line;
	bool found;

	/* A byte above the tab behind the name. */
	if (snprintf(start, sizeof(start), "machine\t%s\t%s%s", provider, after,
		     *after ? "\n" : "") >= (int)sizeof(start))
		return false;
	for (found = catalogue_from(machines(), &line, start);
	     found && begins(&line, "machine", provider); found = catalogue_next(&line))
		if (take(provider, &line, ret) == 0)
			return true;
	return false;
}

/* The first region of the factors behind that one. */
static bool factor_region_next(const char *provider, const char *after, char ret[CLOUD_REGION_SIZE])
{
	char start[START_SIZE];
	struct catalogue_line line;

	if (snprintf(start, sizeof(start), "factor\t%s\t%s%s", provider, after,
		     *after ? "\n" : "") >= (int)sizeof(start) ||
	    !catalogue_from(catalogue_prices(), &line, start) || !begins(&line, "factor", provider))
		return false;
	catalogue_text(&line, FACTOR_REGION, ret, CLOUD_REGION_SIZE);
	return true;
}

bool cloud_region_next(const char *provider, const char *after, char ret[CLOUD_REGION_SIZE])
{
	struct catalogue_line line;
	char base[CLOUD_REGION_SIZE] = "", next[CLOUD_REGION_SIZE];
	bool found = factor_region_next(provider, after, next);

	if (CATALOGUE_FIND(&line, "provider", provider))
		catalogue_text(&line, PROVIDER_BASE, base, sizeof(base));
	if (*base && strcmp(base, after) > 0 && (!found || strcmp(base, next) <= 0)) {
		memcpy(ret, base, CLOUD_REGION_SIZE);
		return true;
	}
	if (found)
		memcpy(ret, next, CLOUD_REGION_SIZE);
	return found;
}

int cloud_interruption(const char *provider, const char *region, const char *type,
		       struct cloud_interruption *ret)
{
	char family[CLOUD_TYPE_SIZE];
	const char *name = or_empty(type), *size = name + strcspn(name, ".-");
	struct catalogue_line line;
	double band;

	text_cut(name, strcspn(name, ".-"), family, sizeof(family));
	if (!CATALOGUE_FIND_IN(machines(), &line, "interruption", or_empty(provider),
			       or_empty(region), family))
		return -ENOENT;
	band = catalogue_number(&line, BAND);
	(void)catalogue_listed(&line, BAND_SIZES, *size ? size + 1 : size, &band);
	if (!(band >= 0) || (size_t)band >= BAND_COUNT)
		return -ENOENT;
	*ret = BANDS[(size_t)band];
	return 0;
}
