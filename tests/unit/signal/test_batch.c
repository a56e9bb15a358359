/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "signal/batch.h"
#include "signal/figures.h"

DEFINE_CLEANUP(Signal__Batch *, batch_free)

/* A batch with one execution; a test may change its parts before packing. */
struct sample_batch {
	Signal__Batch batch;
	Signal__Execution execution, *executions[1];
	Signal__Figures figures;
	Signal__Run run, *runs[1];
	Signal__Label label, *labels[1];
	char *argv[2];
};

static void fill(struct sample_batch *sample)
{
	signal__batch__init(&sample->batch);
	signal__execution__init(&sample->execution);
	signal__figures__init(&sample->figures);
	signal__run__init(&sample->run);
	signal__label__init(&sample->label);
	sample->batch.agent_id = "agent-1";
	sample->batch.host_id = "host-1";
	sample->batch.boot_id = "boot-1";
	sample->batch.sequence = 7;
	sample->batch.created_at = 1795242600123456000;
	sample->batch.n_executions = 1;
	sample->batch.executions = sample->executions;
	sample->executions[0] = &sample->execution;
	sample->execution.pid = 42;
	sample->execution.tool = "samtools sort";
	sample->execution.n_argv = 2;
	sample->execution.argv = sample->argv;
	sample->argv[0] = "samtools";
	sample->argv[1] = "sort";
	sample->execution.figures = &sample->figures;
	sample->figures.user_ns = 18446744073709551615ULL;
	sample->batch.n_runs = 1;
	sample->batch.runs = sample->runs;
	sample->runs[0] = &sample->run;
	sample->run.run_id = "run-1";
	sample->run.n_labels = 1;
	sample->run.labels = sample->labels;
	sample->labels[0] = &sample->label;
	sample->label.key = "team";
	sample->label.value = "genomics";
}

static int pack_and_unpack(const Signal__Batch *batch, Signal__Batch **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer packed;

	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(batch, &packed), 0);
	return batch_unpack(packed.data, packed.len, ret, err);
}

/* zstd around bytes that batch_pack would not make. */
static void compress(const void *bytes, size_t len, struct buffer *out)
{
	size_t bound = ZSTD_compressBound(len);
	CLEANUP(freep) char *packed = malloc(bound);

	buffer_append(out, packed, ZSTD_compress(packed, bound, bytes, len, 1));
}

static void what_was_packed_comes_back_whole(void **state)
{
	CLEANUP(batch_freep) Signal__Batch *back = NULL;
	struct sample_batch sample;

	fill(&sample);
	assert_int_equal(pack_and_unpack(&sample.batch, &back, NULL), 0);
	assert_string_equal(back->agent_id, "agent-1");
	assert_int_equal(back->sequence, 7);
	assert_int_equal(back->n_executions, 1);
	assert_string_equal(back->executions[0]->argv[1], "sort");
	assert_true(back->executions[0]->figures->user_ns == UINT64_MAX);
	assert_string_equal(back->runs[0]->labels[0]->value, "genomics");
	assert_int_equal(batch_records(back), 2);
}

static void packing_appends(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	CLEANUP(batch_freep) Signal__Batch *back = NULL;
	struct sample_batch sample;

	fill(&sample);
	buffer_init(&out, 0);
	buffer_append_text(&out, "head");
	assert_int_equal(batch_pack(&sample.batch, &out), 0);
	assert_memory_equal(out.data, "head", 4);
	assert_int_equal(batch_unpack(out.data + 4, out.len - 4, &back, NULL), 0);
}

static void invalid_utf8_is_repaired_wherever_it_stands(void **state)
{
	CLEANUP(batch_freep) Signal__Batch *back = NULL;
	struct sample_batch sample;

	fill(&sample);
	sample.argv[1] = "a\xff\xfe";
	sample.execution.tool = "caf\xc3";
	sample.label.value = "\xed\xa0\x80";
	assert_int_equal(pack_and_unpack(&sample.batch, &back, NULL), 0);
	assert_string_equal(back->executions[0]->argv[1], "a\xef\xbf\xbd\xef\xbf\xbd");
	assert_string_equal(back->executions[0]->tool, "caf\xef\xbf\xbd");
	assert_string_equal(back->runs[0]->labels[0]->value,
			    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void a_batch_in_an_arena_is_the_same(void **state)
{
	CLEANUP(buffer_clear) struct buffer packed;
	CLEANUP(batch_freep) Signal__Batch *one = NULL;
	struct sample_batch sample;
	Signal__Batch *other = NULL;
	struct arena arena = { 0 };
	size_t size;

	fill(&sample);
	sample.argv[1] = "a\xff\xfe";
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&sample.batch, &packed), 0);
	assert_int_equal(batch_unpack(packed.data, packed.len, &one, NULL), 0);
	assert_int_equal(batch_unpack_into(&arena, packed.data, packed.len, &other, &size, NULL),
			 0);
	assert_string_equal(other->executions[0]->argv[1], "a\xef\xbf\xbd\xef\xbf\xbd");
	assert_int_equal(size, signal__batch__get_packed_size(&sample.batch));
	assert_int_equal(signal__batch__get_packed_size(other),
			 signal__batch__get_packed_size(one));
	assert_int_equal(batch_records(other), 2);
	arena_clear(&arena);
	packed.data[packed.len - 1] ^= 1; /* of the checksum */
	assert_int_equal(batch_unpack_into(&arena, packed.data, packed.len, &other, &size, NULL),
			 -EPROTO);
	arena_clear(&arena);
}

/* What zstd keeps for the next frame is of use for any. */
static void frames_of_all_kinds_follow_each_other(void **state)
{
	size_t len = 2u << 20, bound = ZSTD_compressBound(len);
	CLEANUP(freep) char *bytes = calloc(1, len), *packed = malloc(bound);
	CLEANUP(buffer_clear) struct buffer small;
	struct sample_batch sample;

	fill(&sample);
	buffer_init(&small, 0);
	assert_int_equal(batch_pack(&sample.batch, &small), 0);
	for (int i = 0; i < 6; i++) {
		CLEANUP(batch_freep) Signal__Batch *back = NULL;
		ZSTD_CCtx *context = ZSTD_createCCtx();
		size_t packed_len;

		ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, i % 2);
		packed_len = ZSTD_compress2(context, packed, bound, bytes, len);
		ZSTD_freeCCtx(context);
		assert_int_equal(batch_unpack(packed, packed_len - i % 3, &back, NULL), -EPROTO);
		assert_int_equal(batch_unpack(small.data, small.len, &back, NULL), 0);
		assert_string_equal(back->agent_id, "agent-1");
	}
}

static void what_is_not_zstd_is_refused(void **state)
{
	Signal__Batch *back = NULL;
	struct error err;

	assert_int_equal(batch_unpack("", 0, &back, &err), -EPROTO);
	assert_int_equal(batch_unpack("hello, world", 12, &back, &err), -EPROTO);
	assert_non_null(strstr(err.text, "zstd"));
	assert_null(back);
}

static void a_cut_flipped_or_followed_frame_is_refused(void **state)
{
	CLEANUP(buffer_clear) struct buffer packed;
	struct sample_batch sample;
	Signal__Batch *back = NULL;

	fill(&sample);
	buffer_init(&packed, 0);
	assert_int_equal(batch_pack(&sample.batch, &packed), 0);
	for (size_t len = 0; len < packed.len; len++)
		assert_int_equal(batch_unpack(packed.data, len, &back, NULL), -EPROTO);
	/* From the sixth byte on: the fifth holds a bit that zstd ignores. */
	for (size_t i = 5; i < packed.len; i++) {
		packed.data[i] ^= 0x10;
		assert_int_not_equal(batch_unpack(packed.data, packed.len, &back, NULL), 0);
		packed.data[i] ^= 0x10;
	}
	buffer_append_char(&packed, 'x');
	assert_int_equal(batch_unpack(packed.data, packed.len, &back, NULL), -EPROTO);
}

static void what_is_not_a_batch_is_refused(void **state)
{
	CLEANUP(buffer_clear) struct buffer packed;
	Signal__Batch *back = NULL;
	struct error err;

	buffer_init(&packed, 0);
	compress("\xff\xff\xff\xff\xff", 5, &packed);
	assert_int_equal(batch_unpack(packed.data, packed.len, &back, &err), -EPROTO);
	assert_non_null(strstr(err.text, "signal.proto"));
}

static void more_than_the_limit_on_the_wire_is_refused(void **state)
{
	CLEANUP(freep) char *bytes = calloc(1, BATCH_PACKED_LIMIT + 1);
	Signal__Batch *back = NULL;

	memcpy(bytes, "\x28\xb5\x2f\xfd", 4);
	assert_int_equal(batch_unpack(bytes, BATCH_PACKED_LIMIT + 1, &back, NULL), -EMSGSIZE);
}

/* A frame with a header that claims 64 GiB, and no content. */
static void a_frame_that_claims_too_much_is_refused_unread(void **state)
{
	static const char frame[] =
		"\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x10\x00\x00\x00\x01\x00\x00";
	Signal__Batch *back = NULL;

	assert_int_equal(batch_unpack(frame, sizeof(frame) - 1, &back, NULL), -EMSGSIZE);
}

/* Zeros to the unpacked limit and one byte beyond, in a frame that does not say its size. */
static void a_bomb_without_a_size_is_stopped_at_the_limit(void **state)
{
	size_t len = BATCH_UNPACKED_LIMIT + 1, bound = ZSTD_compressBound(len);
	CLEANUP(freep) char *zeros = calloc(1, len), *packed = malloc(bound);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	Signal__Batch *back = NULL;
	size_t packed_len;

	ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
	packed_len = ZSTD_compress2(context, packed, bound, zeros, len);
	ZSTD_freeCCtx(context);
	assert_true(packed_len < BATCH_PACKED_LIMIT);
	assert_int_equal(batch_unpack(packed, packed_len, &back, NULL), -EMSGSIZE);
}

/* Two bytes on the wire ask for an empty execution of some hundred bytes in memory. */
static void records_that_would_take_too_much_memory_are_refused(void **state)
{
	size_t len = BATCH_UNPACKED_LIMIT - 64;
	CLEANUP(freep) char *bytes = malloc(len);
	CLEANUP(buffer_clear) struct buffer packed;
	Signal__Batch *back = NULL;
	struct error err;

	for (size_t i = 0; i < len; i += 2)
		memcpy(bytes + i, "\x72\x00", 2);
	buffer_init(&packed, 0);
	compress(bytes, len, &packed);
	assert_int_equal(batch_unpack(packed.data, packed.len, &back, &err), -EMSGSIZE);
	assert_non_null(strstr(err.text, "memory"));
}

static void a_batch_over_the_limit_is_not_packed(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	CLEANUP(freep) char *text = malloc(BATCH_UNPACKED_LIMIT + 1);
	struct sample_batch sample;

	memset(text, 'x', BATCH_UNPACKED_LIMIT);
	text[BATCH_UNPACKED_LIMIT] = '\0';
	fill(&sample);
	sample.execution.cwd = text;
	buffer_init(&out, 0);
	assert_int_equal(batch_pack(&sample.batch, &out), -EMSGSIZE);
	assert_int_equal(out.len, 0);
}

static void json_has_the_names_instants_labels_and_figures_inline(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;
	json_auto_t *read = NULL;
	struct sample_batch sample;
	struct json json;
	json_t *execution;

	fill(&sample);
	buffer_init(&out, 0);
	json_init(&json, &out, false);
	batch_write_json(&sample.batch.base, &json);
	read = json_loadb(out.data, out.len, JSON_DECODE_INT_AS_REAL, NULL);
	assert_non_null(read);
	assert_string_equal(json_string_value(json_object_get(read, "created_at")),
			    "2026-11-21T06:30:00.123456Z");
	execution = json_array_get(json_object_get(read, "executions"), 0);
	assert_true(json_is_null(json_object_get(execution, "ended_at")));
	assert_null(json_object_get(execution, "figures"));
	assert_non_null(strstr(out.data, "\"user_ns\":18446744073709551615"));
	assert_true(json_number_value(json_object_get(execution, "user_ns")) > 1.8e19);
	assert_int_equal(json_array_size(json_object_get(execution, "argv")), 2);
	assert_true(json_is_false(json_object_get(execution, "found")));
	assert_non_null(strstr(out.data, "\"labels\":{\"team\":\"genomics\"}"));
}

/* A type that the writer did not know would be written as null; so are only instants without one.
 */
static void assert_no_nulls(const ProtobufCMessageDescriptor *type)
{
	CLEANUP(freep) ProtobufCMessage *message = calloc(1, type->sizeof_message);
	CLEANUP(buffer_clear) struct buffer out, null;
	struct json json;

	buffer_init(&out, 0);
	buffer_init(&null, 0);
	type->message_init(message);
	json_init(&json, &out, false);
	batch_write_json(message, &json);
	for (unsigned i = 0; i < type->n_fields; i++) {
		buffer_reset(&null);
		buffer_printf(&null, "\"%s\":null", type->fields[i].name);
		if (!strstr(type->fields[i].name, "_at"))
			assert_null(strstr(out.data, null.data));
	}
}

static void json_knows_every_type_of_the_contract(void **state)
{
	const ProtobufCMessageDescriptor *batch = &signal__batch__descriptor;

	assert_no_nulls(batch);
	for (unsigned i = 0; i < batch->n_fields; i++) {
		if (batch->fields[i].descriptor)
			assert_no_nulls(batch->fields[i].descriptor);
	}
}

static void freeing_nothing_is_fine(void **state)
{
	batch_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_packed_comes_back_whole),
		cmocka_unit_test(packing_appends),
		cmocka_unit_test(invalid_utf8_is_repaired_wherever_it_stands),
		cmocka_unit_test(a_batch_in_an_arena_is_the_same),
		cmocka_unit_test(frames_of_all_kinds_follow_each_other),
		cmocka_unit_test(what_is_not_zstd_is_refused),
		cmocka_unit_test(a_cut_flipped_or_followed_frame_is_refused),
		cmocka_unit_test(what_is_not_a_batch_is_refused),
		cmocka_unit_test(more_than_the_limit_on_the_wire_is_refused),
		cmocka_unit_test(a_frame_that_claims_too_much_is_refused_unread),
		cmocka_unit_test(a_bomb_without_a_size_is_stopped_at_the_limit),
		cmocka_unit_test(records_that_would_take_too_much_memory_are_refused),
		cmocka_unit_test(a_batch_over_the_limit_is_not_packed),
		cmocka_unit_test(json_has_the_names_instants_labels_and_figures_inline),
		cmocka_unit_test(json_knows_every_type_of_the_contract),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
