/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "sweep/shell_quote.h"

static const struct {
	const char *text, *word;
} cases[] = {
	{ "node-7", "node-7" },
	{ "/data/a_b.c:d,e+f@g%h=i", "/data/a_b.c:d,e+f@g%h=i" },
	{ "", "''" },
	{ "a b", "'a b'" },
	{ "$(reboot)", "'$(reboot)'" },
	{ "`reboot`;!&|<>*?[]{}~#\\\"", "'`reboot`;!&|<>*?[]{}~#\\\"'" },
	{ "it's", "'it'\\''s'" },
	{ "'; reboot; '", "''\\''; reboot; '\\'''" },
	{ "größe", "'größe'" },
	{ "a\033[2Jb", "\"$(printf 'a\\033\\1332Jb')\"" },
	{ "\xff%s-", "\"$(printf '\\377%%s\\055')\"" },
	{ "a\nb", "\"$(printf 'a\\012b')\"" },
	{ "\n$(reboot)'\"`\\ ", "\"$(printf '\\012\\044\\050reboot\\051\\047\\042\\140\\134 ')\"" },
	{ "--\001", "\"$(printf '\\055\\055\\001')\"" },
	{ "\342\200\256gnp.exe", "\"$(printf '\\342\\200\\256gnp.exe')\"" },
	{ "a\n", NULL },
	{ NULL, NULL },
};

static void a_text_is_one_word(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(buffer_clear) struct buffer out = { 0 };

		buffer_init(&out, 0);
		shell_quote(&out, cases[i].text);
		assert_int_equal(out.failed, cases[i].word == NULL);
		if (cases[i].word)
			assert_string_equal(out.data, cases[i].word);
	}
}

/* What a shell makes of `printf %s WORD`. */
static void read_back(const char *shell, const char *word, char *ret, size_t size)
{
	CLEANUP(buffer_clear) struct buffer line = { 0 };
	FILE *output;
	size_t len;

	buffer_init(&line, 0);
	buffer_printf(&line, "LC_ALL=C %s -c 'eval \"$1\"' - ", shell);
	buffer_append_char(&line, '\'');
	for (const char *byte = word; *byte; byte++)
		buffer_append_text(&line, *byte == '\'' ? "'\\''" : (char[]){ *byte, '\0' });
	buffer_append_char(&line, '\'');
	assert_false(line.failed);
	output = popen(line.data, "r"); /* NOLINT(cert-env33-c): the shell is what is tested */
	assert_non_null(output);
	len = fread(ret, 1, size - 1, output);
	ret[len] = '\0';
	assert_int_equal(pclose(output), 0);
}

static void shells_read_the_same_text(void **state)
{
	static const char *const shells[] = { "sh", "bash" };

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(*cases); i++) {
		const char *text = cases[i / 2].text;
		CLEANUP(buffer_clear) struct buffer out = { 0 };
		char back[256];

		if (!cases[i / 2].word)
			continue;
		buffer_init(&out, 0);
		buffer_append_text(&out, "printf %s ");
		shell_quote(&out, text);
		read_back(shells[i % 2], out.data, back, sizeof(back));
		assert_string_equal(back, text);
	}
}

static void a_name_is_known_and_no_option(void **state)
{
	static const char *const refused[] = { NULL, "", "-u", "--user=ann" };
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	shell_name(&out, "node 7");
	assert_string_equal(out.data, "'node 7'");
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		CLEANUP(buffer_clear) struct buffer none = { 0 };

		buffer_init(&none, 0);
		shell_name(&none, refused[i]);
		assert_true(none.failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_one_word),
		cmocka_unit_test(shells_read_the_same_text),
		cmocka_unit_test(a_name_is_known_and_no_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
