/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/line.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

const char *const gpu_throttle_words[GPU_THROTTLE_COUNT] = {
#define WORD(name, word) [GPU_THROTTLE_##name] = (word),
	GPU_THROTTLES(WORD)
#undef WORD
};

static const char *const kinds[] = {
	[GPU_LINE_HELLO] = "tracer-gpu", [GPU_LINE_DEVICE] = "device",   [GPU_LINE_GONE] = "gone",
	[GPU_LINE_STATE] = "state",      [GPU_LINE_PROCESS] = "process", [GPU_LINE_END] = "end",
	[GPU_LINE_NOTE] = "note",
};

static bool is_plain(char byte)
{
	return (unsigned char)byte >= ' ' && byte != 0x7f;
}

void gpu_text(char *ret, size_t size, const char *text, bool word)
{
	size_t len = strnlen(text, size - 1);

	for (size_t i = 0; i < len; i++) {
		ret[i] = is_plain(text[i]) ? text[i] : '?';
		if (word && ret[i] == ' ')
			ret[i] = '_';
	}
	ret[len] = '\0';
	while (!utf8_valid(ret, len)) /* cut within a character, or never one */
		for (size_t i = 0; i < len; i++)
			if ((unsigned char)ret[i] >= 0x80)
				ret[i] = '?';
	if (word && !len)
		(void)memcpy(ret, "?", 2);
}

static void put_number(struct buffer *out, uint64_t number)
{
	if (number == GPU_UNKNOWN)
		buffer_append_text(out, " -");
	else
		buffer_printf(out, " %" PRIu64, number);
}

static void put_text(struct buffer *out, const char *text, size_t size, bool word)
{
	char plain[GPU_NOTE_SIZE];

	gpu_text(plain, size, text, word);
	buffer_append_char(out, ' ');
	buffer_append_text(out, plain);
}

static void write_device(struct buffer *out, const struct gpu_device *device)
{
	put_text(out, device->uuid, GPU_UUID_SIZE, true);
	put_number(out, device->index);
	put_number(out, device->memory_bytes);
	put_number(out, device->process_busy);
	put_text(out, device->driver, GPU_DRIVER_SIZE, true);
	put_text(out, *device->name ? device->name : "?", GPU_NAME_SIZE, false);
}

static void write_state(struct buffer *out, const struct gpu_state *state)
{
	put_text(out, state->uuid, GPU_UUID_SIZE, true);
	put_number(out, state->busy_percent);
	put_number(out, state->memory_busy_percent);
	put_number(out, state->memory_used_bytes);
	put_number(out, state->power_mw);
	put_number(out, state->celsius);
	put_number(out, state->clock_mhz);
	put_number(out, state->memory_clock_mhz);
	put_number(out, state->throttle);
}

static void write_process(struct buffer *out, const struct gpu_process *process)
{
	put_number(out, process->pid);
	put_text(out, process->uuid, GPU_UUID_SIZE, true);
	put_number(out, process->busy_ns);
	put_number(out, process->memory_bytes);
}

void gpu_line_write(struct buffer *out, const struct gpu_line *line)
{
	buffer_append_text(out, kinds[line->kind]);
	if (line->kind == GPU_LINE_HELLO)
		put_number(out, line->version);
	else if (line->kind == GPU_LINE_DEVICE)
		write_device(out, &line->device);
	else if (line->kind == GPU_LINE_GONE)
		put_text(out, line->uuid, GPU_UUID_SIZE, true);
	else if (line->kind == GPU_LINE_STATE)
		write_state(out, &line->state);
	else if (line->kind == GPU_LINE_PROCESS)
		write_process(out, &line->process);
	else if (line->kind == GPU_LINE_NOTE)
		put_text(out, line->note, GPU_NOTE_SIZE, false);
	buffer_append_char(out, '\n');
}

/* What is left of a line, and whether all of it was as it should be. */
struct rest {
	const char *at;
	bool wrong;
};

/* The next word, cut out into ret; a word too long for it is wrong. */
static void take_word(struct rest *rest, char *ret, size_t size)
{
	size_t len = strcspn(rest->at, " ");

	rest->wrong |= len == 0 || len >= size;
	if (len >= size)
		len = size - 1;
	memcpy(ret, rest->at, len);
	ret[len] = '\0';
	rest->at += strcspn(rest->at, " ");
	if (*rest->at == ' ')
		rest->wrong |= *++rest->at == '\0';
}

static uint64_t take_number(struct rest *rest, uint64_t most)
{
	uint64_t number = 0;
	char word[24];

	take_word(rest, word, sizeof(word));
	rest->wrong |= word[0] == '0' && word[1];
	for (const char *at = word; *at; at++) {
		uint64_t digit = (uint64_t)(unsigned char)*at - '0';

		if (digit > 9 || digit > most || number > (most - digit) / 10) {
			rest->wrong = true;
			return 0;
		}
		number = number * 10 + digit;
	}
	return number;
}

/* A number, or "-": not known. */
static uint64_t take_figure(struct rest *rest, uint64_t most)
{
	if (rest->at[0] == '-' && (rest->at[1] == ' ' || !rest->at[1])) {
		rest->at += 1;
		if (*rest->at == ' ')
			rest->wrong |= *++rest->at == '\0';
		return GPU_UNKNOWN;
	}
	return take_number(rest, most);
}

static void take_text(struct rest *rest, char *ret, size_t size)
{
	size_t len = strlen(rest->at);

	rest->wrong |= len == 0 || len >= size;
	if (len < size)
		memcpy(ret, rest->at, len + 1);
	rest->at += len;
}

/* Beyond these no device is believed: 1 PiB, 1 MW, 1000 °C, 1 THz, a day in one reading. */
#define MOST_BYTES   (1ULL << 50)
#define MOST_MW      1000000000ULL
#define MOST_CELSIUS 1000
#define MOST_MHZ     1000000
#define MOST_NS      86400000000000ULL

static void read_device(struct rest *rest, struct gpu_device *ret)
{
	take_word(rest, ret->uuid, sizeof(ret->uuid));
	ret->index = (uint32_t)take_number(rest, UINT32_MAX);
	ret->memory_bytes = take_figure(rest, MOST_BYTES);
	ret->process_busy = take_number(rest, 1) == 1;
	take_word(rest, ret->driver, sizeof(ret->driver));
	take_text(rest, ret->name, sizeof(ret->name));
}

static void read_state(struct rest *rest, struct gpu_state *ret)
{
	take_word(rest, ret->uuid, sizeof(ret->uuid));
	ret->busy_percent = take_figure(rest, 100);
	ret->memory_busy_percent = take_figure(rest, 100);
	ret->memory_used_bytes = take_figure(rest, MOST_BYTES);
	ret->power_mw = take_figure(rest, MOST_MW);
	ret->celsius = take_figure(rest, MOST_CELSIUS);
	ret->clock_mhz = take_figure(rest, MOST_MHZ);
	ret->memory_clock_mhz = take_figure(rest, MOST_MHZ);
	ret->throttle = take_figure(rest, (1U << GPU_THROTTLE_COUNT) - 1);
}

static void read_process(struct rest *rest, struct gpu_process *ret)
{
	ret->pid = (uint32_t)take_number(rest, GPU_PID_MAX);
	rest->wrong |= ret->pid == 0;
	take_word(rest, ret->uuid, sizeof(ret->uuid));
	ret->busy_ns = take_figure(rest, MOST_NS);
	ret->memory_bytes = take_figure(rest, MOST_BYTES);
}

static bool find_kind(const char *word, enum gpu_line_kind *ret)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(word, kinds[i]) == 0) {
			*ret = (enum gpu_line_kind)i;
			return true;
		}
	}
	return false;
}

static void read_fields(struct rest *rest, struct gpu_line *ret)
{
	if (ret->kind == GPU_LINE_HELLO)
		ret->version = (uint32_t)take_number(rest, UINT32_MAX);
	else if (ret->kind == GPU_LINE_DEVICE)
		read_device(rest, &ret->device);
	else if (ret->kind == GPU_LINE_GONE)
		take_word(rest, ret->uuid, sizeof(ret->uuid));
	else if (ret->kind == GPU_LINE_STATE)
		read_state(rest, &ret->state);
	else if (ret->kind == GPU_LINE_PROCESS)
		read_process(rest, &ret->process);
	else if (ret->kind == GPU_LINE_NOTE)
		take_text(rest, ret->note, sizeof(ret->note));
}

int gpu_line_read(const char *text, size_t len, struct gpu_line *ret)
{
	char line[GPU_LINE_MAX + 1], word[16];
	struct rest rest = { .at = line };

	if (len > GPU_LINE_MAX || !utf8_valid(text, len))
		return -EPROTO;
	for (size_t i = 0; i < len; i++) {
		if (!is_plain(text[i]))
			return -EPROTO;
	}
	memcpy(line, text, len);
	line[len] = '\0';
	*ret = (struct gpu_line){ 0 };
	take_word(&rest, word, sizeof(word));
	if (rest.wrong || !find_kind(word, &ret->kind))
		return -EPROTO;
	read_fields(&rest, ret);
	return rest.wrong || *rest.at ? -EPROTO : 0;
}
