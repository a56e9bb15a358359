/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/varint.h"
#include "signal/batch.h"
#include "signal/figures.h"
#include "signal/sample_figures.h"

DEFINE_CLEANUP(Signal__Batch *, batch_free)

/* A frame with one sample, of these bytes of protobuf. */
static void pack_sample(struct buffer *out, const void *bytes, size_t len)
{
	const ProtobufCFieldDescriptor *samples = protobuf_c_message_descriptor_get_field_by_name(
		&signal__batch__descriptor, "samples");
	CLEANUP(buffer_clear) struct buffer batch = { 0 };
	uint8_t head[2 * VARINT_BYTES];
	size_t head_len = varint_put(head, samples->id << 3 | 2);

	head_len += varint_put(head + head_len, len);
	buffer_init(&batch, 0);
	buffer_init(out, 0);
	buffer_append(&batch, head, head_len);
	buffer_append(&batch, bytes, len);
	assert_int_equal(batch_compress(batch.data, batch.len, out), 0);
}

static void must_be_the_same(const Signal__Figures *one, const Signal__Figures *other)
{
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;

	for (unsigned i = 0; i < message->n_fields; i++)
		assert_memory_equal((const char *)one + message->fields[i].offset,
				    (const char *)other + message->fields[i].offset,
				    sizeof(uint64_t));
}

static void must_read(const Signal__Sample *sample, const Signal__Figures *expected)
{
	struct sample_figures read;

	sample_figures_read(sample, &read);
	assert_true(read.user_ns == expected->user_ns);
	assert_true(read.kernel_ns == expected->kernel_ns);
	assert_true(read.rss_peak_bytes == expected->rss_peak_bytes);
}

/* As the batch log has a batch that the lake changed. */
static void must_be_packed_again(const Signal__Batch *batch, const Signal__Figures *figures)
{
	CLEANUP(buffer_clear) struct buffer again = { 0 };
	CLEANUP(batch_freep) Signal__Batch *back = NULL;

	buffer_init(&again, 0);
	assert_int_equal(batch_pack(batch, &again), 0);
	assert_int_equal(batch_unpack(again.data, again.len, &back, NULL), 0);
	must_be_the_same(back->samples[0]->figures, figures);
}

/* As an agent sends them. */
static void must_stay_packed(const Signal__Figures *figures)
{
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	Signal__Sample sample = SIGNAL__SAMPLE__INIT;
	ProtobufCBinaryData found = { 0 };
	struct figures_field field;
	Signal__Batch *batch = NULL;
	struct arena arena = { 0 };
	Signal__Figures *back;
	uint8_t bytes[2048];
	size_t size;

	sample.pid = 7;
	figures_put(&sample.base, figures, &field);
	pack_sample(&packed, bytes, signal__sample__pack(&sample, bytes));
	assert_int_equal(batch_unpack_into(&arena, packed.data, packed.len, &batch, &size, NULL),
			 0);
	assert_int_equal(batch->n_samples, 1);
	assert_int_equal(batch->samples[0]->pid, 7);
	assert_null(batch->samples[0]->figures);
	assert_true(sample_figures_packed(batch->samples[0], &found));
	back = signal__figures__unpack(NULL, found.len, found.data);
	assert_non_null(back);
	must_be_the_same(back, figures);
	must_read(batch->samples[0], figures);
	must_be_packed_again(batch, figures);
	signal__figures__free_unpacked(back, NULL);
	arena_clear(&arena);
}

static void figures_of_agents_stay_packed(void **state)
{
	Signal__Figures one = SIGNAL__FIGURES__INIT, all = SIGNAL__FIGURES__INIT;
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;

	(void)state;
	must_stay_packed(&one);
	for (unsigned i = 0; i < message->n_fields; i++) {
		uint64_t value = i % 3 ? UINT64_MAX - i : i + 1;

		signal__figures__init(&one);
		memcpy((char *)&one + message->fields[i].offset, &value, sizeof(value));
		memcpy((char *)&all + message->fields[i].offset, &value, sizeof(value));
		must_stay_packed(&one);
		must_stay_packed(&all);
	}
}

#define BYTES(...) { __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

/* Samples of other programs. 0x42: Sample.figures; in it 8: user_ns, 16: kernel_ns, 104:
 * rss_peak_bytes. */
static const struct {
	const char *what;
	uint8_t bytes[40];
	size_t len;
} ODD[] = {
	{ "no figures", BYTES(8, 7) },
	{ "a figure that is 0", BYTES(0x42, 4, 8, 0, 16, 5) },
	{ "in another order", BYTES(0x42, 6, 104, 3, 16, 2, 8, 1) },
	{ "one of them twice", BYTES(0x42, 4, 8, 1, 8, 2) },
	{ "in two parts", BYTES(0x42, 2, 8, 1, 0x42, 2, 16, 2) },
	{ "in two parts, a figure in both", BYTES(0x42, 4, 8, 1, 16, 3, 0x42, 4, 8, 2, 16, 0) },
	{ "a length of two bytes", BYTES(0x42, 0x82, 0, 8, 1) },
	{ "a number of more bytes than it needs", BYTES(0x42, 4, 8, 0x81, 0x80, 0) },
	{ "a number beyond 64 bits",
	  BYTES(0x42, 11, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2) },
	{ "a tag of more bytes than it needs", BYTES(0x42, 3, 0x88, 0, 1) },
	{ "a figure of a later version", BYTES(0x42, 5, 8, 1, 0xf8, 7, 1) },
	{ "a text among figures", BYTES(0x42, 5, 8, 1, 0x7a, 1, 'x') },
	{ "a field of a later version", BYTES(0x4a, 1, 'x', 0x42, 2, 8, 1) },
	{ "cut off in a number", BYTES(0x42, 2, 8, 0xff) },
	{ "cut off behind a tag", BYTES(0x42, 3, 8, 1, 16) },
	{ "cut off in a tag", BYTES(0x42, 3, 8, 1, 0xff) },
	{ "field number 0", BYTES(0x42, 2, 0, 1) },
	{ "a group", BYTES(0x42, 1, 11) },
	{ "longer than the sample", BYTES(0x42, 9, 8, 1) },
	{ "no message", BYTES(0x40, 1) },
	{ "no message, then one", BYTES(0x40, 1, 0x42, 2, 8, 1) },
};

static void must_be_read_as_protobuf_reads(const uint8_t *bytes, size_t len)
{
	static const Signal__Figures none = SIGNAL__FIGURES__INIT;
	CLEANUP(batch_freep) Signal__Batch *one = NULL;
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	struct arena arena = { 0 };
	Signal__Batch *other = NULL;
	ProtobufCBinaryData found;
	size_t size;
	int rc;

	pack_sample(&packed, bytes, len);
	rc = batch_unpack(packed.data, packed.len, &one, NULL);
	assert_int_equal(batch_unpack_into(&arena, packed.data, packed.len, &other, &size, NULL),
			 rc);
	if (!rc) {
		const Signal__Figures *figures = one->samples[0]->figures;

		assert_false(sample_figures_packed(other->samples[0], &found));
		assert_int_equal(!other->samples[0]->figures, !figures);
		if (figures)
			must_be_the_same(other->samples[0]->figures, figures);
		must_read(other->samples[0], figures ? figures : &none);
		assert_int_equal(signal__batch__get_packed_size(other),
				 signal__batch__get_packed_size(one));
	}
	arena_clear(&arena);
}

static void figures_that_are_packed_in_another_way_are_unpacked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ODD) / sizeof(ODD[0]); i++) {
		print_message("%s\n", ODD[i].what);
		must_be_read_as_protobuf_reads(ODD[i].bytes, ODD[i].len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_agents_stay_packed),
		cmocka_unit_test(figures_that_are_packed_in_another_way_are_unpacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
