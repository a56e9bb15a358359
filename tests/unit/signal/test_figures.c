/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "signal/figures.h"

static void the_table_and_the_message_have_the_same_names(void **state)
{
	static const char *const names[] = {
#define F(name, kind) #name,
		FIGURES(F)
#undef F
	};
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;

	assert_int_equal(message->n_fields, sizeof(names) / sizeof(*names));
	for (unsigned i = 0; i < message->n_fields; i++)
		assert_string_equal(message->fields[i].name, names[i]);
}

static void a_delta_is_the_growth_of_sums_and_the_level_now(void **state)
{
	Signal__Figures earlier = SIGNAL__FIGURES__INIT, later = SIGNAL__FIGURES__INIT, delta;

	earlier.user_ns = 100;
	earlier.rss_bytes = 500;
	earlier.rss_peak_bytes = 900;
	later.user_ns = 130;
	later.rss_bytes = 400;
	later.rss_peak_bytes = 950;
	figures_delta(&earlier, &later, &delta);
	assert_int_equal(delta.user_ns, 30);
	assert_int_equal(delta.rss_bytes, 400);
	assert_int_equal(delta.rss_peak_bytes, 950);
	assert_ptr_equal(delta.base.descriptor, &signal__figures__descriptor);
}

static void a_sum_that_fell_has_not_grown(void **state)
{
	Signal__Figures earlier = SIGNAL__FIGURES__INIT, later = SIGNAL__FIGURES__INIT;

	earlier.kernel_ns = 5;
	later.kernel_ns = 4;
	figures_delta(&earlier, &later, &later); /* in place */
	assert_int_equal(later.kernel_ns, 0);
}

static void must_read_as_put(const Signal__Figures *figures)
{
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;
	Signal__Sample sample = SIGNAL__SAMPLE__INIT, *back;
	struct figures_field packed;
	uint8_t bytes[1024];
	size_t len;

	sample.pid = 7;
	sample.until_at = 1;
	figures_put(&sample.base, figures, &packed);
	len = signal__sample__get_packed_size(&sample);
	assert_in_range(len, 1, sizeof(bytes));
	assert_int_equal(signal__sample__pack(&sample, bytes), len);
	back = signal__sample__unpack(NULL, len, bytes);
	assert_non_null(back);
	assert_int_equal(back->pid, 7);
	assert_non_null(back->figures);
	assert_int_equal(back->base.n_unknown_fields, 0);
	assert_int_equal(back->figures->base.n_unknown_fields, 0);
	for (unsigned i = 0; i < message->n_fields; i++) {
		size_t offset = message->fields[i].offset;

		assert_int_equal(message->fields[i].type, PROTOBUF_C_TYPE_UINT64);
		assert_memory_equal((char *)back->figures + offset, (const char *)figures + offset,
				    sizeof(uint64_t));
	}
	signal__sample__free_unpacked(back, NULL);
}

static void figures_that_were_packed_already_are_read_as_any(void **state)
{
	Signal__Figures none = SIGNAL__FIGURES__INIT, all = SIGNAL__FIGURES__INIT;
	const ProtobufCMessageDescriptor *message = &signal__figures__descriptor;

	must_read_as_put(&none);
	all.user_ns = 127;
	must_read_as_put(&all);
	for (unsigned i = 0; i < message->n_fields; i++) {
		uint64_t value = UINT64_MAX - i;

		memcpy((char *)&all + message->fields[i].offset, &value, sizeof(value));
		must_read_as_put(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_and_the_message_have_the_same_names),
		cmocka_unit_test(a_delta_is_the_growth_of_sums_and_the_level_now),
		cmocka_unit_test(a_sum_that_fell_has_not_grown),
		cmocka_unit_test(figures_that_were_packed_already_are_read_as_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
