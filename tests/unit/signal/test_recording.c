/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "signal/batch.h"
#include "signal/recording.h"

/* A recorded run in a file: what was written is read, and nothing else is. */

#define BATCHES 3
#define SUM     6 /* of their sequences */

static void make_batch(Signal__Batch *batch, uint64_t sequence)
{
	static char id[] = "id";

	signal__batch__init(batch);
	batch->agent_id = batch->host_id = batch->boot_id = id;
	batch->sequence = sequence;
}

static void write_recording(struct buffer *out)
{
	Signal__Recording head = SIGNAL__RECORDING__INIT;
	struct recording_writer *writer;
	Signal__Batch batch;

	head.name = (char[]){ "demo" };
	head.batches = BATCHES;
	buffer_init(out, 0);
	assert_int_equal(recording_begin(&writer, &head, RECORDING_LEVEL_SMALL, out), 0);
	for (uint64_t i = 1; i <= BATCHES; i++) {
		make_batch(&batch, i);
		assert_int_equal(recording_add(writer, &batch), 0);
	}
	assert_int_equal(recording_end(writer), 0);
	recording_writer_free(writer);
}

/* Reads all: the sum of the sequences, or what went wrong. From memory of exactly that size. */
static int read_all(const char *bytes, size_t len, struct error *err)
{
	char *copy = malloc(len ? len : 1);
	struct recording *recording = NULL;
	Signal__Batch *batch;
	int sum = 0, r;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	r = recording_open(&recording, copy, len, err);
	while (r >= 0 && (r = recording_next(recording, &batch, err)) > 0) {
		sum += (int)batch->sequence;
		batch_free(batch);
	}
	recording_close(recording);
	free(copy);
	return r < 0 ? r : sum;
}

static void what_was_written_is_read(void **state)
{
	struct recording *recording;
	struct error err = { "" };
	struct buffer out;

	write_recording(&out);
	assert_int_equal(recording_open(&recording, out.data, out.len, &err), 0);
	assert_string_equal(recording_head(recording)->name, "demo");
	assert_int_equal(recording_head(recording)->batches, BATCHES);
	recording_close(recording);
	assert_int_equal(read_all(out.data, out.len, &err), SUM);
	buffer_clear(&out);
}

static void a_file_that_is_cut_anywhere_is_refused(void **state)
{
	struct buffer out;

	write_recording(&out);
	for (size_t len = 0; len < out.len; len++) {
		struct error err = { "" };

		assert_int_equal(read_all(out.data, len, &err), -EPROTO);
		assert_string_not_equal(err.text, "");
	}
	buffer_clear(&out);
}

static void a_bit_that_changed_is_found_or_changed_nothing(void **state)
{
	struct buffer out;

	write_recording(&out);
	for (size_t bit = 0; bit < 8 * out.len; bit++) {
		struct error err = { "" };

		out.data[bit / 8] ^= (char)(1 << bit % 8);
		/* What changes nothing of the content (the window's size) may pass. */
		if (read_all(out.data, out.len, &err) != SUM)
			assert_string_not_equal(err.text, "");
		out.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	buffer_clear(&out);
}

static void what_follows_the_end_is_refused(void **state)
{
	struct error err = { "" };
	struct buffer out;

	write_recording(&out);
	buffer_append_char(&out, '\0');
	assert_int_equal(read_all(out.data, out.len, &err), -EPROTO);
	buffer_clear(&out);
}

static void what_is_no_recording_is_said_to_be_none(void **state)
{
	static const char text[] = "#!/bin/sh\necho hello\n";
	struct error err = { "" };
	struct buffer out;

	assert_int_equal(read_all(text, sizeof(text), &err), -EPROTO);
	assert_non_null(strstr(err.text, "not a recording"));
	write_recording(&out);
	out.data[7] = 9;
	assert_int_equal(read_all(out.data, out.len, &err), -EPROTO);
	assert_non_null(strstr(err.text, "version 9"));
	buffer_clear(&out);
}

static void a_batch_without_ids_is_refused(void **state)
{
	Signal__Recording head = SIGNAL__RECORDING__INIT;
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct recording_writer *writer;
	struct error err = { "" };
	struct buffer out;

	batch.sequence = 1;
	buffer_init(&out, 0);
	/* An empty head would be the end of the parts. */
	head.batches = 1;
	assert_int_equal(recording_begin(&writer, &head, RECORDING_LEVEL_FAST, &out), 0);
	assert_int_equal(recording_add(writer, &batch), 0);
	assert_int_equal(recording_end(writer), 0);
	recording_writer_free(writer);
	assert_int_equal(read_all(out.data, out.len, &err), -EPROTO);
	buffer_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_file_that_is_cut_anywhere_is_refused),
		cmocka_unit_test(a_bit_that_changed_is_found_or_changed_nothing),
		cmocka_unit_test(what_follows_the_end_is_refused),
		cmocka_unit_test(what_is_no_recording_is_said_to_be_none),
		cmocka_unit_test(a_batch_without_ids_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
