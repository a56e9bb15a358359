/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tune/size/program_memory.h"

/* Arguments as the lake keeps them, and the option that is found; "": none. */
static const struct {
	const char *arguments, *found;
} CASES[] = {
	{ "bwa mem -t 4; samtools sort -@ 4 -m 2G", "samtools sort -m 2G of a thread" },
	{ "samtools sort -m768M -@ 2", "samtools sort -m768M of a thread" },
	{ "java -Xmx4g -jar", "java -Xmx4g" },
	{ "picard MarkDuplicates -Xms1g -Xmx3072m", "picard -Xmx3072m" },
	{ "sort -k 1 -S 50", "sort -S 50" },
	{ "sort --buffer-size=2G", "sort --buffer-size=2G" },
	{ "STAR --runThreadN 12 --limitBAMsortRAM 31532137230",
	  "STAR --limitBAMsortRAM 31532137230" },
	{ "kmc -m12 -k 31", "kmc -m12" },
	{ "grep -m 1", "" }, /* of another program it means something else */
	{ "samtools view -m 2", "" },
	{ "sorted -S 2G", "" },
	{ "sort -S", "" },
	{ "samtools sort -m -n", "" },
	{ "", "" },
	{ "; ; ", "" },
};

static void an_option_that_sets_memory_is_found(void **state)
{
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		char text[PROGRAM_MEMORY_SIZE];
		const char *found = program_memory_find(CASES[i].arguments, text);

		assert_string_equal(found ? found : "", CASES[i].found);
	}
}

static void long_words_are_cut_not_overrun(void **state)
{
	char arguments[1200], text[PROGRAM_MEMORY_SIZE];

	memset(arguments, 'a', sizeof(arguments));
	memcpy(arguments + 1100, " -Xmx", 6);
	memset(arguments + 1105, '9', 90);
	arguments[1195] = '\0';
	assert_non_null(program_memory_find(arguments, text));
	assert_true(strlen(text) < sizeof(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_option_that_sets_memory_is_found),
		cmocka_unit_test(long_words_are_cut_not_overrun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
