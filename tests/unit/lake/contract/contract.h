/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/*
 * The contract of a store, tested on every storage engine of lake/store/storage_engines.h. A
 * contract test uses the headers of lake/store/ alone. Behind <cmocka.h>.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture_store.h"
#include "lake/store/storage_engines.h"

/* The engine that is tested now. */
static const char *contract_engine;

/* Of a test: *state is a new and empty store of that engine. lake_teardown removes it. */
static int contract_setup(void **state)
{
	static struct lake lake;

	lake_make_on(&lake, contract_engine);
	*state = &lake;
	return 0;
}

#define CONTRACT_TEST(function) \
	cmocka_unit_test_setup_teardown(function, contract_setup, lake_teardown)

/* The number of failed tests of an array, over all engines. setup and teardown are of the array. */
#define CONTRACT_RUN(tests, setup, teardown)                                      \
	({                                                                        \
		int failed = 0;                                                   \
                                                                                  \
		for (size_t i = 0; STORAGE_ENGINES[i]; i++) {                     \
			contract_engine = STORAGE_ENGINES[i]->name;               \
			print_message("engine %s\n", contract_engine);            \
			failed += cmocka_run_group_tests(tests, setup, teardown); \
		}                                                                 \
		failed;                                                           \
	})
