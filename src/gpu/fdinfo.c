/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/fdinfo.h"

#include <string.h>

/* Bytes by where they lie. A driver reports a region as resident, or (of old) as memory, or only
 * as total: what was promised. */
enum telling { TOTAL, MEMORY, RESIDENT, TELLINGS };

struct sums {
	uint64_t device[TELLINGS], all[TELLINGS];
	bool has_device[TELLINGS], has_all[TELLINGS];
};

/* "123", "123 KiB", "123 MiB", with blanks around. */
static bool read_number(const char *text, size_t len, uint64_t *ret)
{
	uint64_t number = 0;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
		if (number > (UINT64_MAX >> 24) / 10)
			return false;
		number = number * 10 + (uint64_t)(text[i] - '0');
	}
	if (i == 0)
		return false;
	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	if (len - i >= 3 && memcmp(text + i, "KiB", 3) == 0)
		number <<= 10;
	else if (len - i >= 3 && memcmp(text + i, "MiB", 3) == 0)
		number <<= 20;
	*ret = number;
	return true;
}

static void read_text(const char *text, size_t len, char ret[FDINFO_NAME])
{
	size_t keep = 0;

	while (keep < len && keep < FDINFO_NAME - 1 && text[keep] > ' ' && text[keep] < 0x7f)
		keep++;
	memcpy(ret, text, keep);
	ret[keep] = '\0';
}

static struct fdinfo_engine *engine(struct fdinfo *info, const char *name, size_t len)
{
	struct fdinfo_engine *found;

	if (len == 0 || len >= FDINFO_NAME)
		return NULL;
	for (size_t i = 0; i < info->engine_count; i++) {
		found = &info->engines[i];
		if (strlen(found->name) == len && memcmp(found->name, name, len) == 0)
			return found;
	}
	if (info->engine_count == FDINFO_ENGINES)
		return NULL;
	found = &info->engines[info->engine_count++];
	memcpy(found->name, name, len);
	return found;
}

static bool cut(const char **key, size_t *len, const char *prefix)
{
	size_t prefix_len = strlen(prefix);

	if (*len < prefix_len || memcmp(*key, prefix, prefix_len) != 0)
		return false;
	*key += prefix_len;
	*len -= prefix_len;
	return true;
}

static void take_engine(struct fdinfo *info, const char *key, size_t len, uint64_t number)
{
	struct fdinfo_engine *found;

	if (cut(&key, &len, "engine-capacity-"))
		return;
	if (cut(&key, &len, "engine-")) {
		found = engine(info, key, len);
		if (found) {
			found->busy_ns = number;
			found->has_ns = true;
		}
	} else if (cut(&key, &len, "total-cycles-")) {
		found = engine(info, key, len);
		if (found) {
			found->total_cycles = number;
			found->has_total = true;
		}
	} else if (cut(&key, &len, "cycles-")) {
		found = engine(info, key, len);
		if (found) {
			found->cycles = number;
			found->has_cycles = true;
		}
	}
}

static void take_memory(struct sums *sums, const char *key, size_t len, uint64_t number)
{
	enum telling telling;
	bool device;

	if (cut(&key, &len, "resident-"))
		telling = RESIDENT;
	else if (cut(&key, &len, "memory-"))
		telling = MEMORY;
	else if (cut(&key, &len, "total-") && !cut(&key, &len, "cycles-"))
		telling = TOTAL;
	else
		return;
	device = cut(&key, &len, "vram") || cut(&key, &len, "local");
	sums->all[telling] += number;
	sums->has_all[telling] = true;
	if (device) {
		sums->device[telling] += number;
		sums->has_device[telling] = true;
	}
}

static void settle_memory(const struct sums *sums, struct fdinfo *info)
{
	for (int i = TELLINGS - 1; i >= 0 && !info->memory_known; i--) {
		info->memory_known = sums->has_device[i];
		info->memory_bytes = sums->device[i];
	}
	for (int i = TELLINGS - 1; i >= 0 && !info->memory_known; i--) {
		info->memory_known = sums->has_all[i];
		info->memory_bytes = sums->all[i];
	}
}

struct line {
	const char *key, *value;
	size_t key_len, value_len;
};

/* "drm-KEY:  value"; false: another line. */
static bool split(const char *text, size_t len, struct line *ret)
{
	const char *colon = memchr(text, ':', len), *end = text + len;

	if (!colon || len < 4 || memcmp(text, "drm-", 4) != 0)
		return false;
	ret->key = text + 4;
	ret->key_len = colon > ret->key ? (size_t)(colon - ret->key) : 0;
	for (colon++; colon < end && (*colon == ' ' || *colon == '\t');)
		colon++;
	ret->value = colon;
	ret->value_len = (size_t)(end - colon);
	return ret->key_len > 0;
}

static bool is_key(const struct line *line, const char *key)
{
	return line->key_len == strlen(key) && memcmp(line->key, key, line->key_len) == 0;
}

static void take(const struct line *line, struct fdinfo *info, struct sums *sums, bool *has_client)
{
	uint64_t number;

	if (is_key(line, "driver")) {
		read_text(line->value, line->value_len, info->driver);
	} else if (is_key(line, "pdev")) {
		read_text(line->value, line->value_len, info->device);
	} else if (read_number(line->value, line->value_len, &number)) {
		if (is_key(line, "client-id")) {
			info->client_id = number;
			*has_client = true;
		}
		take_engine(info, line->key, line->key_len, number);
		take_memory(sums, line->key, line->key_len, number);
	}
}

bool fdinfo_read(const char *text, struct fdinfo *ret)
{
	struct sums sums = { 0 };
	struct line line;
	bool has_client = false;

	*ret = (struct fdinfo){ 0 };
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (split(text, len, &line))
			take(&line, ret, &sums, &has_client);
		text += len + (text[len] == '\n');
	}
	settle_memory(&sums, ret);
	return has_client && *ret->driver;
}

static const struct fdinfo_engine *same_engine(const struct fdinfo *info, const char *name)
{
	for (size_t i = 0; info && i < info->engine_count; i++) {
		if (strcmp(info->engines[i].name, name) == 0)
			return &info->engines[i];
	}
	return NULL;
}

/* Counters may be reset with the device: what fell did not grow. */
static uint64_t growth(uint64_t earlier, uint64_t later)
{
	return later > earlier ? later - earlier : 0;
}

static uint64_t cycles_ns(const struct fdinfo_engine *earlier, const struct fdinfo_engine *later,
			  uint64_t passed_ns)
{
	uint64_t cycles = growth(earlier->cycles, later->cycles);
	uint64_t total = growth(earlier->total_cycles, later->total_cycles);

	if (total == 0)
		return 0;
	if (cycles > total)
		cycles = total;
	return (uint64_t)((double)cycles / (double)total * (double)passed_ns);
}

bool fdinfo_busy(const struct fdinfo *earlier, const struct fdinfo *later, uint64_t passed_ns,
		 uint64_t *ret_ns)
{
	bool known = false;

	*ret_ns = 0;
	for (size_t i = 0; i < later->engine_count; i++) {
		const struct fdinfo_engine *now = &later->engines[i];
		const struct fdinfo_engine *before = same_engine(earlier, now->name);

		if (now->has_ns) {
			*ret_ns += growth(before ? before->busy_ns : 0, now->busy_ns);
			known = true;
		} else if (now->has_cycles && now->has_total) {
			*ret_ns += before ? cycles_ns(before, now, passed_ns) : 0;
			known = true;
		}
	}
	return known;
}
