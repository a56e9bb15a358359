/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"
#include "cli/terminal/times.h"

#define BAR_WIDTH 16

static const char *const UNKNOWN = "–";

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

void print_safe(struct buffer *out, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		size_t len = utf8_sequence(text, left);

		if (len == 0 || utf8_is_control(text, len))
			buffer_append_char(out, '?');
		else
			buffer_append(out, text, len);
		len = len == 0 ? 1 : len;
		text += len;
		left -= len;
	}
}

void print_text(FILE *out, const char *text)
{
	struct buffer safe CLEANUP(buffer_clear) = { 0 };

	buffer_init(&safe, 0);
	print_safe(&safe, text);
	fputs(safe.data ? safe.data : "", out);
}

static void text_value(struct buffer *out, const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		buffer_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		return;
	}
	if (!text || !*text) {
		buffer_append_text(out, UNKNOWN);
		return;
	}
	print_safe(out, text);
}

static void count_value(struct buffer *out, double number)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%.0f", number);

	for (int i = 0; i < len; i++) {
		buffer_append_char(out, digits[i]);
		if (digits[i] != '-' && i < len - 1 && (len - i - 1) % 3 == 0)
			buffer_append_char(out, ',');
	}
}

static void time_value(struct buffer *out, const char *text)
{
	struct tm utc = { 0 }, local;
	char shown[32];
	time_t seconds;

	if (!text || !strptime(text, "%Y-%m-%dT%H:%M:%S", &utc)) {
		buffer_append_text(out, UNKNOWN);
		return;
	}
	seconds = timegm(&utc);
	localtime_r(&seconds, &local);
	strftime(shown, sizeof(shown), "%m-%d %H:%M:%S", &local);
	buffer_append_text(out, shown);
}

static void list_value(struct buffer *out, const json_t *list, const char *between)
{
	size_t i;
	const json_t *item;

	if (json_array_size(list) == 0)
		buffer_append_text(out, UNKNOWN);
	json_array_foreach(list, i, item)
	{
		if (i > 0)
			buffer_append_text(out, between);
		text_value(out, item);
	}
}

static void end_value(struct buffer *out, const json_t *object)
{
	double code = number_of(object, "exit_code"), signal_number = number_of(object, "signal");
	const char *name;

	if (signal_number > 0) {
		name = sigabbrev_np((int)signal_number);
		buffer_printf(out, "SIG%s", name ? name : "?");
	} else if (isnan(code) || json_is_null(json_object_get(object, "ended_at"))) {
		buffer_append_text(out, UNKNOWN);
	} else {
		buffer_printf(out, "%.0f", code);
	}
}

static void bar_value(struct buffer *out, const json_t *object)
{
	struct times times = { 0 };

	times_add(&times, object);
	if (times_known(&times))
		times_bar(out, &times, BAR_WIDTH, false);
	else
		buffer_append_text(out, UNKNOWN);
}

static void wait_value(struct buffer *out, const json_t *object)
{
	struct times times = { 0 };

	times_add(&times, object);
	times_wait(out, &times);
}

/* Cents, and more of less than a dollar. What is more than nothing is not shown as nothing. */
static void usd_value(struct buffer *out, double usd)
{
	if (usd > 0 && usd < 0.0000005)
		buffer_append_text(out, "<$0.000001");
	else
		buffer_printf(out, usd < 1 ? "$%.6f" : "$%.2f", usd);
}

static void figure_value(struct buffer *out, double number, enum format format)
{
	char text[48];

	if (isnan(number)) {
		buffer_append_text(out, UNKNOWN);
		return;
	}
	switch (format) {
	case FORMAT_COUNT:
		count_value(out, number);
		break;
	case FORMAT_BYTES:
		buffer_append_text(out, text_bytes((uint64_t)number, text, sizeof(text)));
		break;
	case FORMAT_USD:
		usd_value(out, number);
		break;
	default:
		buffer_append_text(out, text_duration((uint64_t)number, text, sizeof(text)));
	}
}

void print_value(struct buffer *out, const json_t *object, const struct column *column)
{
	const json_t *value = json_object_get(object, column->key);

	switch (column->format) {
	case FORMAT_TEXT:
	case FORMAT_SENTENCE:
	case FORMAT_PHRASE:
	case FORMAT_FIGURE:
		text_value(out, value);
		break;
	case FORMAT_STATUS:
		if (json_is_string(value))
			print_status_words(out, object);
		else
			buffer_append_text(out, UNKNOWN);
		break;
	case FORMAT_TIME:
		time_value(out, json_string_value(value));
		break;
	case FORMAT_LIST:
		list_value(out, value, ", ");
		break;
	case FORMAT_COMMAND:
		list_value(out, value, " ");
		break;
	case FORMAT_END:
		end_value(out, object);
		break;
	case FORMAT_BAR:
		bar_value(out, object);
		break;
	case FORMAT_WAIT:
		wait_value(out, object);
		break;
	case FORMAT_SECONDS:
		figure_value(out, number_of(object, column->key) * NS_PER_S, column->format);
		break;
	case FORMAT_CPU_NS:
		figure_value(out, number_of(object, "user_ns") + number_of(object, "kernel_ns"),
			     column->format);
		break;
	default:
		figure_value(out, number_of(object, column->key), column->format);
	}
}

void print_json(const json_t *value)
{
	struct buffer safe CLEANUP(buffer_clear) = { 0 };
	char *text CLEANUP(freep) =
		json_dumps(value, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));

	buffer_init(&safe, 0);
	if (text)
		json_escape_controls(text, strlen(text), &safe);
	puts(safe.data ? safe.data : "");
}

void print_labelled(FILE *out, const char *label, const json_t *object, const char *key,
		    enum format format, size_t *at)
{
	struct column column = { key, "", format, 0 };
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	size_t width = print_width(out), len;

	buffer_init(&text, 0);
	buffer_append_text(&text, label);
	print_value(&text, object, &column);
	if (text.failed)
		return;
	len = columns_of(text.data);
	if (at && width > 0 && *at > 0 && *at + len > width) {
		fputs("\n", out);
		*at = 0;
	}
	fputs(text.data, out);
	if (at)
		*at += len;
}
