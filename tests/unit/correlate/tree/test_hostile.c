/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "correlate/command/command.h"
#include "correlate/model/record.h"
#include "correlate/rules/rules.h"
#include "correlate/tree/tree.h"

/*
 * Command lines and paths as no user writes them: each engine's program, each interpreter, with
 * words of 32 KiB, with 100,000 words, with bytes that are no text. All that comes out is text, and
 * within its limits. The kernel's part cuts arguments at 32 KiB; what is offline need not, and with
 * TRACER_LONG in the environment words are of 128 KiB.
 */
#define WORD_BYTES ((getenv("TRACER_LONG") ? 128u : 32u) << 10)
#define WORDS      100000

/* What hostile words follow. */
static const char *const starts[][6] = {
	{ "samtools" },
	{ "python3", "-m" },
	{ "java", "-cp", "x", "nextflow.cli.Launcher", "run" },
	{ "java", "-cp" },
	{ "bash" },
	{ "bash", "-c" },
	{ "python3", "/usr/bin/snakemake", "-s" },
	{ "sh", "-c", "cd x && python3 -m snakemake --target-jobs" },
	{ "python3", "/usr/bin/cwltool" },
	{ "python3", "/usr/bin/toil-cwl-runner" },
	{ "tracer", "run", "--label" },
	{ "make", "-C" },
	{ "xargs" },
	{ NULL },
};
#define STARTS (sizeof(starts) / sizeof(*starts))

struct world {
	struct rules *rules;
	struct tree *tree;
	unsigned changes;
};

static int setup(void **state)
{
	static struct world world;

	world = (struct world){ 0 };
	*state = &world;
	return rules_new(&world.rules, NULL) || tree_new(&world.tree, world.rules, "host", 64, 64);
}

static int teardown(void **state)
{
	struct world *world = *state;

	tree_free(world->tree);
	rules_free(world->rules);
	return 0;
}

/* All texts of a record. */
static void check_record(const ProtobufCMessage *record)
{
	for (unsigned i = 0; i < record->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &record->descriptor->fields[i];
		const char *at = (const char *)record + field->offset, *text;

		if (field->type != PROTOBUF_C_TYPE_STRING)
			continue;
		text = *(const char *const *)(const void *)at;
		assert_in_range(strlen(text), 0, RECORD_COMMAND_LIMIT);
		assert_true(utf8_valid(text, strlen(text)));
	}
}

static void check_changes(struct world *world)
{
	const Signal__Run *run;
	const Signal__Task *task;

	tree_settle(world->tree);
	while (tree_next_change(world->tree, &run, &task)) {
		check_record(run ? &run->base : &task->base);
		for (size_t i = 0; run && i < run->n_labels; i++)
			check_record(&run->labels[i]->base);
		world->changes++;
	}
}

static void exec(struct world *world, struct attribution *attribution,
		 const struct attribution *parent, const struct tree_image *image)
{
	struct tree_image whole = *image;
	char tool[TOOL_NAME_SIZE];

	whole.masked = image->argv;
	tree_exec(world->tree, attribution, parent, &whole, tool, sizeof(tool));
	assert_true(utf8_valid(tool, strlen(tool)));
	check_changes(world);
}

/* A process with this image, first of no run, then as a job of a Snakemake, then as what a script
 * starts. */
static void run_everywhere(struct world *world, const struct tree_image *hostile)
{
	static const char *const snakemake[] = { "python3", "/usr/bin/snakemake", NULL };
	static const char *const script[] = { "bash", "align.sh", NULL };
	const struct tree_image engines[] = {
		{ .pid = 10,
		  .start_ns = 10,
		  .exe = "/usr/bin/python3",
		  .argv = snakemake,
		  .argc = 2 },
		{ .pid = 20,
		  .start_ns = 20,
		  .exe = "/usr/bin/bash",
		  .argv = script,
		  .argc = 2,
		  .root_kind = RUN_ROOT_SCRIPT },
	};
	struct attribution alone = { 0 };

	exec(world, &alone, NULL, hostile);
	for (size_t i = 0; i < 2; i++) {
		struct attribution engine = { 0 }, job;

		exec(world, &engine, NULL, &engines[i]);
		tree_fork(world->tree, &engine, &job);
		exec(world, &job, &engine, hostile);
		tree_exit(world->tree, &job, 1, 0, 5);
		tree_exit(world->tree, &engine, 0, 0, 6);
		check_changes(world);
	}
	tree_exit(world->tree, &alone, 0, 0, 7);
	check_changes(world);
}

/* Each start with these words behind it. */
static void run_with(struct world *world, const char *const *words, size_t count)
{
	const char **argv = calloc(count + 7, sizeof(*argv));

	assert_non_null(argv);
	for (size_t i = 0; i < STARTS; i++) {
		struct tree_image image = { .pid = 30,
					    .start_ns = 30,
					    .exe = starts[i][0],
					    .cwd = words[0],
					    .user = words[0],
					    .image = words[0],
					    .parent = words[0],
					    .argv = argv };

		while (image.argc < 6 && starts[i][image.argc]) {
			argv[image.argc] = starts[i][image.argc];
			image.argc++;
		}
		memcpy(argv + image.argc, words, count * sizeof(*words));
		image.argc += count;
		argv[image.argc] = NULL;
		run_everywhere(world, &image);
	}
	free(argv);
	assert_true(world->changes > STARTS);
}

/* A long word, of a piece again and again. */
static char *word_of(const char *piece)
{
	const size_t bytes = WORD_BYTES;
	char *word = malloc(bytes + 1);
	size_t len = strlen(piece);

	assert_non_null(word);
	for (size_t i = 0; i < bytes; i++)
		word[i] = piece[i % len];
	word[bytes] = '\0';
	return word;
}

static void long_words_are_taken(void **state)
{
	static const char *const pieces[] = { "a",    "../",  "a=b,'",
					      "\\$(", "a|\n", "\xf0\x9f{name} *" };

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		char *word = word_of(pieces[i]);
		const char *words[] = { word, word };

		run_with(*state, words, 2);
		free(word);
	}
}

static void a_hundred_thousand_words_are_one_command(void **state)
{
	static const char *const each[] = { "-c", "A=b", "", "\xff" };
	const char **words = calloc(WORDS, sizeof(*words));

	assert_non_null(words);
	for (size_t i = 0; i < WORDS; i++)
		words[i] = each[i % 4];
	run_with(*state, words, WORDS);
	free(words);
}

static void words_of_any_bytes_give_text(void **state)
{
	char texts[8][24];
	const char *words[8];
	unsigned seed = 1;

	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < 8; i++) {
			size_t len = (size_t)rand_r(&seed) % sizeof(texts[i]);

			for (size_t k = 0; k < len; k++)
				texts[i][k] = (char)(rand_r(&seed) % 255 + 1);
			texts[i][len] = '\0';
			words[i] = texts[i];
		}
		run_with(*state, words, 8);
	}
}

static void a_program_may_be_called_anything(void **state)
{
	static const char *const pieces[] = { "a", "/", "/a", "\xff", "\n", "*" };

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		char *word = word_of(pieces[i]);
		const char *argv[] = { word, word, NULL };

		run_everywhere(*state, &(struct tree_image){ .pid = 30,
							     .start_ns = 30,
							     .exe = word,
							     .cwd = word,
							     .argv = argv,
							     .argc = 2 });
		free(word);
	}
}

static void no_words_at_all_are_taken(void **state)
{
	static const char *const none[] = { NULL }, *const empty[] = { "", NULL };
	struct tree_image image = { .pid = 30, .start_ns = 30, .argv = none };

	run_everywhere(*state, &image);
	image.exe = "";
	run_everywhere(*state, &image);
	image.argv = empty;
	image.argc = 1;
	run_everywhere(*state, &image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(long_words_are_taken, setup, teardown),
		cmocka_unit_test_setup_teardown(a_hundred_thousand_words_are_one_command, setup,
						teardown),
		cmocka_unit_test_setup_teardown(words_of_any_bytes_give_text, setup, teardown),
		cmocka_unit_test_setup_teardown(a_program_may_be_called_anything, setup, teardown),
		cmocka_unit_test_setup_teardown(no_words_at_all_are_taken, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
