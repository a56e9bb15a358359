/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/hash.h"

/* The reference vectors of SipHash-2-4: key 00 01 … 0f, message 00 01 … of that length. */
static void hashes_are_those_of_the_reference(void **state)
{
	static const struct {
		size_t len;
		uint64_t hash;
	} vectors[] = { { 0, 0x726fdb47dd0e0e31 },  { 1, 0x74f839c593dc67fd },
			{ 7, 0xab0200f58b01d137 },  { 8, 0x93f5f5799a932462 },
			{ 15, 0xa129ca6149be45e5 }, { 63, 0x958a324ceb064572 } };
	struct hash_seed seed = { { 0x0706050403020100, 0x0f0e0d0c0b0a0908 } };
	unsigned char message[64];

	for (size_t i = 0; i < sizeof(message); i++)
		message[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++)
		assert_true(hash_bytes(seed, message, vectors[i].len) == vectors[i].hash);
}

/* The same of SipHash-2-4-128. */
static void wide_hashes_are_those_of_the_reference(void **state)
{
	static const struct {
		size_t len;
		uint64_t hash[2];
	} vectors[] = { { 0, { 0xe6a825ba047f81a3, 0x930255c71472f66d } },
			{ 1, { 0x44af996bd8c187da, 0x45fc229b11597634 } },
			{ 7, { 0x53c1dbd8beebf1a1, 0x3982f01fa64ab8c0 } },
			{ 8, { 0x61f55862baa9623b, 0xb49714f364e2830f } },
			{ 15, { 0x11a8b03399e99354, 0xd9c3cf970fec087e } },
			{ 63, { 0x4a83502f77d15051, 0x7cbd3f979a063e50 } } };
	struct hash_seed seed = { { 0x0706050403020100, 0x0f0e0d0c0b0a0908 } };
	unsigned char message[64];
	uint64_t hash[2];

	for (size_t i = 0; i < sizeof(message); i++)
		message[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		hash_bytes_wide(seed, message, vectors[i].len, hash);
		assert_memory_equal(hash, vectors[i].hash, sizeof(hash));
	}
}

static void a_process_has_one_seed_of_each_kind(void **state)
{
	struct hash_seed one = hash_seed(0), again = hash_seed(0), other = hash_seed(1);

	assert_memory_equal(&one, &again, sizeof(one));
	assert_memory_not_equal(&one, &other, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_those_of_the_reference),
		cmocka_unit_test(wide_hashes_are_those_of_the_reference),
		cmocka_unit_test(a_process_has_one_seed_of_each_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
