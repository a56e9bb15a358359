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

static void a_new_peak_alone_is_no_news_but_a_sum_or_a_level_is(void **state)
{
	Signal__Figures a = SIGNAL__FIGURES__INIT, b = SIGNAL__FIGURES__INIT;

	assert_true(figures_same(&a, &b));
	b.threads_peak = 3;
	assert_true(figures_same(&a, &b));
	b.disk_write_bytes = 1;
	assert_false(figures_same(&a, &b));
	b.disk_write_bytes = 0;
	b.rss_bytes = 1;
	assert_false(figures_same(&a, &b));
}

static void adding_sums_sums_and_levels_and_keeps_the_larger_peak(void **state)
{
	Signal__Figures total = SIGNAL__FIGURES__INIT, more = SIGNAL__FIGURES__INIT;

	total.minor_faults = 3;
	total.rss_bytes = 10;
	total.rss_peak_bytes = 70;
	total.threads_peak = 1;
	more.minor_faults = 4;
	more.rss_bytes = 20;
	more.rss_peak_bytes = 60;
	more.threads_peak = 8;
	figures_add(&total, &more);
	assert_int_equal(total.minor_faults, 7);
	assert_int_equal(total.rss_bytes, 30);
	assert_int_equal(total.rss_peak_bytes, 70);
	assert_int_equal(total.threads_peak, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_and_the_message_have_the_same_names),
		cmocka_unit_test(a_delta_is_the_growth_of_sums_and_the_level_now),
		cmocka_unit_test(a_sum_that_fell_has_not_grown),
		cmocka_unit_test(a_new_peak_alone_is_no_news_but_a_sum_or_a_level_is),
		cmocka_unit_test(adding_sums_sums_and_levels_and_keeps_the_larger_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
