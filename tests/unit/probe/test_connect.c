/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "probe/abi/connect.h"
#include "probe/decode/process_decode.h"

static struct probe_connect_failure said;
static int count;

static void on_connect_failed(void *context, const struct probe_connect_failure *failure)
{
	said = *failure;
	count++;
}

static const struct probe_handler handler = { .on_connect_failed = on_connect_failed };

static struct process_connect_record record_of(const char *address, uint16_t port)
{
	struct process_connect_record record = {
		.head = { .kind = PROCESS_CONNECT, .pid = 7, .start_ns = 8, .at_ns = 9 },
		.failure = { .port = port, .error = ECONNREFUSED, .waited_ns = 10, .count = 11 },
	};

	record.failure.inet6 = strchr(address, ':') != NULL;
	assert_int_equal(inet_pton(record.failure.inet6 ? AF_INET6 : AF_INET, address,
				   record.failure.address),
			 1);
	return record;
}

static void each_field_is_taken(void **state)
{
	struct process_connect_record record = record_of("192.0.2.1", 443);

	assert_int_equal(process_decode(NULL, &record, sizeof(record), &handler), 0);
	assert_int_equal(said.key.pid, 7);
	assert_int_equal(said.key.start_ns, 8);
	assert_int_equal(said.at_ns, 9);
	assert_int_equal(said.error, ECONNREFUSED);
	assert_int_equal(said.waited_ns, 10);
	assert_int_equal(said.count, 11);
	assert_false(said.udp);
	record.failure.udp = 1;
	assert_int_equal(process_decode(NULL, &record, sizeof(record), &handler), 0);
	assert_true(said.udp);
}

static void addresses_are_written_as_people_do(void **state)
{
	static const struct {
		const char *address;
		uint16_t port;
		const char *peer;
	} rows[] = {
		{ "192.0.2.1", 443, "192.0.2.1:443" },
		{ "255.255.255.255", 65535, "255.255.255.255:65535" },
		{ "0.0.0.0", 0, "0.0.0.0:0" },
		{ "2001:db8::1", 443, "[2001:db8::1]:443" },
		{ "1111:2222:3333:4444:5555:6666:7777:8888", 65535,
		  "[1111:2222:3333:4444:5555:6666:7777:8888]:65535" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct process_connect_record record = record_of(rows[i].address, rows[i].port);

		assert_int_equal(process_decode(NULL, &record, sizeof(record), &handler), 0);
		assert_string_equal(said.peer, rows[i].peer);
	}
}

static void short_records_and_errors_that_are_none_are_refused(void **state)
{
	struct process_connect_record record = record_of("192.0.2.1", 443);

	count = 0;
	for (size_t size = sizeof(record.head); size < sizeof(record); size += 8)
		assert_int_equal(process_decode(NULL, &record, size, &handler), -EBADMSG);
	record.failure.error = 4096;
	assert_int_equal(process_decode(NULL, &record, sizeof(record), &handler), -EBADMSG);
	assert_int_equal(count, 0);
	record.failure.error = 4095;
	assert_int_equal(process_decode(NULL, &record, sizeof(record), &handler), 0);
	assert_int_equal(
		process_decode(NULL, &record, sizeof(record), &(struct probe_handler){ 0 }), 0);
	assert_int_equal(count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_is_taken),
		cmocka_unit_test(addresses_are_written_as_people_do),
		cmocka_unit_test(short_records_and_errors_that_are_none_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
