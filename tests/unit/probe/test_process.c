/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "probe/abi/folder.h"
#include "probe/abi/process.h"
#include "probe/decode/figures_decode.h"
#include "probe/decode/process_decode.h"

DEFINE_CLEANUP(struct process_decoder *, process_decoder_free)

/* What the last call of a handler said. */
struct said {
	size_t forks, images, exits, residuals;
	struct probe_fork fork;
	struct probe_image image;
	struct probe_exit exit;
	struct probe_residual residual;
};

static void on_fork(void *context, const struct probe_fork *fork)
{
	struct said *said = context;

	said->forks++;
	said->fork = *fork;
}

static void on_image(void *context, const struct probe_image *image)
{
	struct said *said = context;

	said->images++;
	said->image = *image;
}

static void on_exit_record(void *context, const struct probe_exit *end)
{
	struct said *said = context;

	said->exits++;
	said->exit = *end;
}

static void on_residual(void *context, const struct probe_residual *residual)
{
	struct said *said = context;

	said->residuals++;
	said->residual = *residual;
}

static struct said said;
static const struct probe_handler handler = { .on_fork = on_fork,
					      .on_image = on_image,
					      .on_exit = on_exit_record,
					      .on_residual = on_residual,
					      .context = &said };
static struct process_image_record image;

static int reset(void **state)
{
	memset(&said, 0, sizeof(said));
	memset(&image, 0, sizeof(image));
	image.head = (struct process_head){ .kind = PROCESS_IMAGE, .pid = 7, .start_ns = 8 };
	return 0;
}

/* Fills the texts; returns the record's size. */
static size_t texts(const char *exe, size_t exe_len, const char *cwd, size_t cwd_len,
		    const char *argv, size_t argv_len)
{
	memcpy(image.bytes, exe, exe_len);
	memcpy(image.bytes + exe_len, cwd, cwd_len);
	memcpy(image.bytes + exe_len + cwd_len, argv, argv_len);
	image.exe_len = (uint16_t)exe_len;
	image.cwd_len = (uint16_t)cwd_len;
	image.argv_len = (uint32_t)argv_len;
	return offsetof(struct process_image_record, bytes) + exe_len + cwd_len + argv_len;
}

#define TEXTS(exe, cwd, argv) \
	texts(exe, sizeof(exe) - 1, cwd, sizeof(cwd) - 1, argv, sizeof(argv) - 1)

static void paths_are_put_in_order_and_argv_split_at_its_nuls(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	size_t size = TEXTS("ls\0bin\0usr\0", "", "ls\0\0-l\0a\nb\0");

	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	assert_string_equal(said.image.exe, "/usr/bin/ls");
	assert_string_equal(said.image.cwd, "/");
	assert_int_equal(said.image.argc, 4);
	assert_string_equal(said.image.argv[0], "ls");
	assert_string_equal(said.image.argv[1], "");
	assert_string_equal(said.image.argv[2], "-l");
	assert_string_equal(said.image.argv[3], "a\nb");
	assert_null(said.image.argv[4]);
	assert_int_equal(said.image.key.pid, 7);
	assert_int_equal(said.forks, 0);
}

static void what_was_cut_shows_it(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	size_t size = TEXTS("z\0y\0", "b\0a\0", "cut within a t");

	image.exe_cut = 1;
	image.argv_missing_bytes = 99;
	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	assert_string_equal(said.image.exe, "…/y/z");
	assert_string_equal(said.image.cwd, "/a/b");
	assert_int_equal(said.image.argc, 1);
	assert_string_equal(said.image.argv[0], "cut within a t");
	assert_int_equal(said.image.argv_missing_bytes, 99);
}

static void an_argv_of_32_kib_of_empty_arguments_fits(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	CLEANUP(freep) char *none = calloc(1, PROCESS_ARGV_MAX);
	size_t size = texts("a\0", 2, "b\0", 2, none, PROCESS_ARGV_MAX);

	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	assert_int_equal(said.image.argc, PROCESS_ARGV_MAX);
	assert_null(said.image.argv[PROCESS_ARGV_MAX]);
}

static void a_path_of_one_byte_parts_fits(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	CLEANUP(freep) char *parts = calloc(1, PROCESS_PATH_MAX);
	size_t size;

	for (size_t i = 0; i < PROCESS_PATH_MAX; i += 2)
		parts[i] = 'x';
	size = texts(parts, PROCESS_PATH_MAX, parts, PROCESS_PATH_MAX, "a", 1);
	image.exe_cut = image.cwd_cut = 1;
	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	assert_int_equal(strlen(said.image.exe), strlen("…") + PROCESS_PATH_MAX);
}

static void a_pending_fork_is_reported_before_the_exec(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	size_t size = TEXTS("a\0", "b\0", "a\0");

	image.birth = (struct process_birth){
		.origin = { .at_ns = 100, .parent_pid = 5, .parent_start_ns = 6 }, .fork_pending = 1
	};
	image.head.at_ns = 200;
	image.head.image_seq = 4;
	image.replaced = 1;
	image.replaced_image_seq = 3;
	image.consumed.counts.cpu_ns = 50;
	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	assert_int_equal(said.forks, 1);
	assert_int_equal(said.fork.at_ns, 100);
	assert_int_equal(said.fork.image_seq, 3);
	assert_int_equal(said.fork.parent.pid, 5);
	assert_int_equal(said.image.at_ns, 200);
	assert_int_equal(said.image.image_seq, 4);
	assert_int_equal(said.image.replaced_figures.user_ns, 50);
}

static void an_exit_status_is_taken_apart(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	struct process_exit_record end = { .head.kind = PROCESS_EXIT, .code = 137 << 8 };

	assert_int_equal(process_decode(decoder, &end, sizeof(end), &handler), 0);
	assert_int_equal(said.exit.exit_code, 137);
	assert_int_equal(said.exit.signal, 0);
	assert_false(said.exit.core_dumped);
	end.code = 11 | 0x80;
	end.birth.fork_pending = 1;
	assert_int_equal(process_decode(decoder, &end, sizeof(end), &handler), 0);
	assert_int_equal(said.exit.exit_code, 0);
	assert_int_equal(said.exit.signal, 11);
	assert_true(said.exit.core_dumped);
	assert_int_equal(said.forks, 1);
	end.head.kind = PROCESS_RESIDUAL;
	end.birth.fork_pending = 0;
	assert_int_equal(process_decode(decoder, &end, sizeof(end), &handler), 0);
	assert_int_equal(said.residuals, 1);
}

static void cpu_is_divided_as_the_ticks_are(void **state)
{
	struct process_consumed consumed = {
		.counts = { .cpu_ns = 1000, .user_ticks = 3, .kernel_ticks = 1 },
		.pages = { [MEMORY_FILE] = 1, [MEMORY_SHMEM] = 1, [MEMORY_SWAP] = 5 },
		.peak_pages = 3,
	};
	struct probe_figures figures;

	figures_decode(&figures, &consumed, 16);
	assert_int_equal(figures.user_ns, 750);
	assert_int_equal(figures.kernel_ns, 250);
	assert_int_equal(figures.rss_bytes, 2 << 16);
	assert_int_equal(figures.rss_peak_bytes, 3 << 16);
	consumed.counts.user_ticks = consumed.counts.kernel_ticks = 0;
	figures_decode(&figures, &consumed, 12);
	assert_int_equal(figures.user_ns, 1000);
	/* Five hundred years do not overflow. */
	consumed.counts.cpu_ns = consumed.counts.user_ticks = 15768000000000000000ULL;
	figures_decode(&figures, &consumed, 12);
	assert_int_equal(figures.user_ns, consumed.counts.cpu_ns);
}

static void bytes_that_are_no_record_are_refused(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	size_t size = TEXTS("a\0b\0", "b\0", "a\0");

	for (size_t cut = 0; cut < size; cut++) {
		CLEANUP(freep) void *part = malloc(cut ? cut : 1); /* ASan sees a read beyond */

		memcpy(part, &image, cut);
		assert_int_equal(process_decode(decoder, part, cut, &handler), -EBADMSG);
	}
	assert_int_equal(process_decode(decoder, &image, size + 1, &handler), -EBADMSG);
	image.bytes[3] = 'x'; /* the path has no end */
	assert_int_equal(process_decode(decoder, &image, size, &handler), -EBADMSG);
	image.bytes[3] = '\0';
	image.exe_len = 0xffff;
	assert_int_equal(process_decode(decoder, &image, size, &handler), -EBADMSG);
	image.exe_len = 4;
	image.argv_len = 0xfffffffe;
	assert_int_equal(process_decode(decoder, &image, size, &handler), -EBADMSG);
	image.argv_len = 2;
	assert_int_equal(process_decode(decoder, &image, size, &handler), 0);
	image.head.kind = PROCESS_KINDS;
	assert_int_equal(process_decode(decoder, &image, size, &handler), -EBADMSG);
	image.head.kind = 0;
	assert_int_equal(process_decode(decoder, &image, size, &handler), -EBADMSG);
	assert_int_equal(said.images, 1);
}

static void on_folder(void *context, const struct probe_folder *folder)
{
	assert_string_equal(folder->path, "/work/ab/cdef");
	assert_int_equal(folder->key.pid, 7);
	assert_int_equal(folder->at_ns, 9);
	++*(int *)context;
}

static void a_folder_without_an_end_or_cut_is_refused(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	int told = 0;
	const struct probe_handler listens = { .on_folder = on_folder, .context = &told };
	struct process_folder_record record = {
		.head = { .kind = PROCESS_FOLDER, .pid = 7, .at_ns = 9 },
		.path = "/work/ab/cdef",
	};

	assert_int_equal(process_decode(decoder, &record, sizeof(record), &listens), 0);
	assert_int_equal(told, 1);
	assert_int_equal(process_decode(decoder, &record, sizeof(record) - 1, &listens), -EBADMSG);
	memset(record.path, 'x', sizeof(record.path));
	assert_int_equal(process_decode(decoder, &record, sizeof(record), &listens), -EBADMSG);
	assert_int_equal(told, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(paths_are_put_in_order_and_argv_split_at_its_nuls, reset),
		cmocka_unit_test_setup(what_was_cut_shows_it, reset),
		cmocka_unit_test_setup(an_argv_of_32_kib_of_empty_arguments_fits, reset),
		cmocka_unit_test_setup(a_path_of_one_byte_parts_fits, reset),
		cmocka_unit_test_setup(a_pending_fork_is_reported_before_the_exec, reset),
		cmocka_unit_test_setup(an_exit_status_is_taken_apart, reset),
		cmocka_unit_test(cpu_is_divided_as_the_ticks_are),
		cmocka_unit_test_setup(bytes_that_are_no_record_are_refused, reset),
		cmocka_unit_test(a_folder_without_an_end_or_cut_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
