/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "signal/redact/redact.h"

#define ARGS_LIMIT 128
#define ROWS_MIN   1000

/* A row of secrets.tsv: what is given, and what of it must be left, each argument with its NUL. */
struct row {
	struct buffer given, left;
	size_t args, secrets;
};

struct tally {
	size_t rows, harmless, leaks, hidden;
};

/* Characters with a meaning in the table. */
static bool take_mark(struct row *row, const char **at, bool *in_secret)
{
	static const char begin[] = "«", end[] = "»", nothing[] = "·", feed[] = "␤";

	if (!strncmp(*at, begin, sizeof(begin) - 1)) {
		*in_secret = true;
		*at += sizeof(begin) - 1;
	} else if (!strncmp(*at, end, sizeof(end) - 1)) {
		buffer_append_text(&row->left, REDACT_MASK);
		row->secrets++;
		*in_secret = false;
		*at += sizeof(end) - 1;
	} else if (!strncmp(*at, nothing, sizeof(nothing) - 1)) {
		*at += sizeof(nothing) - 1;
	} else if (!strncmp(*at, feed, sizeof(feed) - 1)) {
		buffer_append_char(&row->given, '\n');
		if (!*in_secret)
			buffer_append_char(&row->left, '\n');
		*at += sizeof(feed) - 1;
	} else {
		return false;
	}
	return true;
}

/* One argument, quoted as a shell would have it, or (quoting: false) the rest of the line. */
static const char *read_word(struct row *row, const char *at, bool quoting)
{
	bool in_secret = false;
	char quote = '\0';

	while (*at && (!quoting || quote || *at != ' ')) {
		if (take_mark(row, &at, &in_secret))
			continue;
		if (quoting && (quote ? *at == quote : *at == '\'' || *at == '"')) {
			quote = quote ? '\0' : *at;
			at++;
			continue;
		}
		if (quoting && *at == '\\' && quote != '\'' && strchr("\"\\$`", at[1]))
			at++;
		buffer_append_char(&row->given, *at);
		if (!in_secret)
			buffer_append_char(&row->left, *at);
		at++;
	}
	assert_false(in_secret || quote);
	buffer_append_char(&row->given, '\0');
	buffer_append_char(&row->left, '\0');
	row->args++;
	return at;
}

static void read_row(struct row *row, const char *line, bool is_argv)
{
	buffer_reset(&row->given);
	buffer_reset(&row->left);
	row->args = row->secrets = 0;
	while (*line) {
		line = read_word(row, line, is_argv);
		line += strspn(line, " ");
	}
	assert_true(row->args <= ARGS_LIMIT);
}

static void mask_argv(const struct buffer *given, size_t count, struct buffer *out)
{
	const char *args[ARGS_LIMIT], *at = given->data;

	for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
		args[i] = at;
	redact_argv(args, count, out);
}

/* Is all there that is no secret, in its order? */
static bool all_is_left(const struct buffer *left, const struct buffer *got)
{
	static const char mask[] = REDACT_MASK;
	const char *at = left->data, *end = left->data + left->len;
	const char *in = got->data, *in_end = got->data + got->len;

	while (at < end) {
		const char *next = memmem(at, (size_t)(end - at), mask, sizeof(mask) - 1);
		size_t len = (size_t)((next ? next : end) - at);

		in = memmem(in, (size_t)(in_end - in), at, len);
		if (!in)
			return false;
		in += len;
		at += len + (next ? sizeof(mask) - 1 : 0);
	}
	return true;
}

static void show(const char *what, const struct buffer *text)
{
	print_message("  %s", what);
	for (size_t i = 0; i + 1 < text->len; i++)
		print_message("%c", text->data[i] ? text->data[i] : '|');
	print_message("\n");
}

static void judge(struct row *row, const struct buffer *got, int line, struct tally *tally)
{
	bool kept = all_is_left(&row->left, got);

	tally->rows++;
	tally->harmless += row->secrets == 0;
	if (got->len == row->left.len && !memcmp(got->data, row->left.data, got->len))
		return;
	print_message("%d: %s\n", line, kept ? "a secret gets through" : "too much is masked");
	show("must be left: ", &row->left);
	show("is left:      ", got);
	tally->leaks += kept;
	tally->hidden += !kept;
}

static void mask_row(const struct buffer *given, size_t args, bool is_argv, struct buffer *out)
{
	if (is_argv) {
		mask_argv(given, args, out);
		return;
	}
	redact_text(given->data, out);
	buffer_append_char(out, '\0');
}

/* "argv" or "text", a tab, and what is masked: an argument vector, or a path or name. What is
 * masked once stays as it is. */
static void judge_line(struct row *row, const char *line, int number, struct tally *tally)
{
	CLEANUP(buffer_clear) struct buffer got, again;
	bool is_argv = !strncmp(line, "argv\t", 5);

	assert_true(is_argv || !strncmp(line, "text\t", 5));
	read_row(row, line + 5, is_argv);
	buffer_init(&got, 0);
	buffer_init(&again, 0);
	mask_row(&row->given, row->args, is_argv, &got);
	judge(row, &got, number, tally);
	mask_row(&got, row->args, is_argv, &again);
	assert_int_equal(again.len, got.len);
	assert_memory_equal(again.data, got.data, got.len);
}

static void no_secret_is_let_through_and_nothing_else_is_masked(void **state)
{
	struct tally tally = { 0 };
	struct row row;
	char *text, *at;
	size_t len;

	buffer_init(&row.given, 0);
	buffer_init(&row.left, 0);
	assert_int_equal(file_read(AT_FDCWD, TESTS_DIR "/data/secrets.tsv", 1 << 20, &text, &len),
			 0);
	at = text;
	for (int number = 1; *at; number++) {
		char *line = strsep(&at, "\n");

		if (*line && *line != '#')
			judge_line(&row, line, number, &tally);
		if (!at)
			break;
	}
	free(text);
	buffer_clear(&row.given);
	buffer_clear(&row.left);
	print_message("%zu rows, %zu harmless: %zu secrets get through, %zu are masked too much\n",
		      tally.rows, tally.harmless, tally.leaks, tally.hidden);
	assert_true(tally.rows >= ROWS_MIN && tally.harmless * 2 >= tally.rows);
	assert_int_equal(tally.leaks, 0);
	assert_int_equal(tally.hidden, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_secret_is_let_through_and_nothing_else_is_masked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
