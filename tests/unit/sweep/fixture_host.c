/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixture_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The letters of a text with numbers before them. */
static size_t expand(const char *text, char letters[MANY])
{
	size_t count = 0;

	while (*text) {
		char *end;
		unsigned long times = strtoul(text, &end, 10);

		if (end == text)
			times = 1;
		for (text = end + 1; times > 0; times--) {
			assert_true(count < MANY);
			letters[count++] = *end;
		}
	}
	return count;
}

static struct sweep_minute minute_of(char letter, int64_t at)
{
	static const struct {
		char letter;
		double cpu;
	} cpus[] = { { 'w', 0.6 },  { 't', 0.6 },  { 'l', 0.04 }, { 'p', 0.2 },
		     { 'P', 0.21 }, { 'e', 0.05 }, { 'E', 0.06 } };
	struct sweep_minute minute = { .at = at, .lasted_s = 60, .cpu = 0.01, .memory = 0.2 };

	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		if (cpus[i].letter == letter)
			minute.cpu = cpus[i].cpu;
	if (letter == 't')
		minute.tracked = 0.6;
	if (letter == 'h')
		minute.lasted_s = 30;
	if (letter == 'd')
		minute.disk_bytes_s = 2e6;
	if (letter == 'n')
		minute.net_bytes_s = 2e6;
	if (letter == 'm')
		minute.memory = 0.6;
	if (letter == 'u')
		minute.memory = -1;
	return minute;
}

static size_t fill_minutes(struct sweep_minute *minutes, const char *text)
{
	char letters[MANY];
	size_t count = expand(text, letters), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (letters[i] != '?')
			minutes[kept++] = minute_of(letters[i], NOW - (int64_t)(count - i) * M);
	return kept;
}

void one_host_init(struct one_host *one, const char *minutes)
{
	memset(one, 0, sizeof(*one));
	sweep_policy_init(&one->policy);
	one->host = (struct sweep_host){
		.id = "h1",
		.hostname = "node-7",
		.provider = "aws",
		.region = "eu-west-1",
		.zone = "eu-west-1a",
		.instance_type = "m6i.2xlarge",
		.instance_id = "i-0abc",
		.purchase = "on_demand",
		.tags = "{}",
		.cpus = 8,
		.memory_bytes = 32 * GB,
		.nusd_hour = USD,
		.up_since = NOW - 24 * H,
		.seen_at = NOW,
		.users = "ann",
		.minutes = one->minutes,
		.minute_count = fill_minutes(one->minutes, minutes),
		.hours = one->hours,
	};
	one->input = (struct sweep_input){
		.now_at = NOW,
		.policy = &one->policy,
		.hosts = &one->host,
		.host_count = 1,
	};
}

static struct sweep_hour hour_of(char letter, int64_t at)
{
	struct sweep_hour hour = { .at = at, .known_s = 3600 };

	hour.used_s = letter == '.' ? 0 : 1800;
	hour.cpu_peak = letter == '.' ? 0.02 : letter == 'W' ? 0.51 : 0.45;
	hour.tracked_peak = letter == '.' ? 0 : hour.cpu_peak;
	hour.tracked_mean = hour.tracked_peak / 2;
	hour.cpu_mean = letter == '.' ? 0.01 : letter == 'U' ? 0.5 : hour.tracked_mean;
	if (letter == 'c' || letter == 'U')
		hour.cpu_peak = 1;
	hour.memory_peak = letter == '.' ? 0.2 : letter == 'M' ? 0.51 : 0.45;
	if (letter == 'h')
		hour.known_s = 1800;
	if (letter == 'u')
		hour.memory_peak = -1;
	return hour;
}

void one_host_hours(struct one_host *one, const char *hours)
{
	char letters[MANY];
	size_t count = expand(hours, letters);
	int64_t end_at = NOW / H * H;

	for (size_t i = 0; i < count; i++)
		if (letters[i] != '?')
			one->hours[one->host.hour_count++] =
				hour_of(letters[i], end_at - (int64_t)(count - i) * H);
}

static int by_kind(const void *a, const void *b)
{
	const struct waste *one = a, *other = b;

	return strcmp(one->kind, other->kind);
}

const char *kinds_found(const struct sweep_input *input)
{
	static char kinds[256];
	struct wastes wastes = { 0 };
	size_t len = 0;

	assert_int_equal(sweep_find(input, &wastes), 0);
	if (wastes.count > 0)
		qsort(wastes.items, wastes.count, sizeof(*wastes.items), by_kind);
	kinds[0] = '\0';
	for (size_t i = 0; i < wastes.count; i++)
		len += (size_t)snprintf(kinds + len, sizeof(kinds) - len, "%s%s", i ? " " : "",
					wastes.items[i].kind);
	wastes_clear(&wastes);
	return kinds;
}

static struct wastes last;

static void clear_last(void)
{
	wastes_clear(&last);
}

const struct waste *find_one(const struct sweep_input *input, const char *kind)
{
	static bool registered;

	if (!registered)
		registered = atexit(clear_last) == 0;
	wastes_clear(&last);
	assert_int_equal(sweep_find(input, &last), 0);
	for (size_t i = 0; i < last.count; i++)
		if (strcmp(last.items[i].kind, kind) == 0)
			return &last.items[i];
	return NULL;
}
