/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include <arpa/inet.h>

#include "probe/abi/process.h"
#include "probe/decode/process_decode.h"

static struct probe_network said;
static int count;

static void on_network(void *context, const struct probe_network *network)
{
	said = *network;
	count++;
}

static const struct probe_handler handler = { .on_network = on_network };

static const struct process_network_record example = {
	.head = { .kind = PROCESS_NETWORK, .pid = 7, .start_ns = 8, .image_seq = 9 },
	.replaced = 1,
	.counts = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
};

static int decode(const struct process_network_record *record, size_t size)
{
	return process_decode(NULL, record, size, &handler);
}

static void each_count_goes_to_its_field(void **state)
{
	assert_int_equal(decode(&example, sizeof(example)), 0);
	assert_int_equal(said.key.pid, 7);
	assert_int_equal(said.key.start_ns, 8);
	assert_int_equal(said.image_seq, 9);
	assert_true(said.replaced);
	assert_int_equal(said.rx_bytes, 1);
	assert_int_equal(said.tx_bytes, 2);
	assert_int_equal(said.rx_calls, 3);
	assert_int_equal(said.tx_calls, 4);
	assert_int_equal(said.connects, example.counts.connects);
	assert_int_equal(said.connect_failures, example.counts.connect_failures);
	assert_int_equal(said.connect_ns, example.counts.connect_ns);
	assert_int_equal(said.accepts, example.counts.accepts);
	assert_int_equal(said.resets, example.counts.resets);
	assert_int_equal(said.retransmits, example.counts.retransmits);
}

/* Of a connection that was made. */
static void its_peer_is_an_address_and_a_port(void **state)
{
	struct process_network_record record = example;

	assert_int_equal(decode(&record, sizeof(record)), 0);
	assert_string_equal(said.peer, "");
	record.peer = (struct network_peer){ { htonl(0xc0000207) }, 443, 1 };
	assert_int_equal(decode(&record, sizeof(record)), 0);
	assert_string_equal(said.peer, "192.0.2.7:443");
	record.flow = NETWORK_INET6;
	record.peer = (struct network_peer){ { htonl(0x20010db8), 0, 0, htonl(1) }, 65535, 1 };
	assert_int_equal(decode(&record, sizeof(record)), 0);
	assert_string_equal(said.peer, "[2001:db8::1]:65535");
}

static void each_flow_has_its_names(void **state)
{
	static const struct {
		const char *family, *protocol;
		bool loopback;
	} names[NETWORK_FLOWS] = {
		{ "inet", "tcp", false },    { "inet", "tcp", true },
		{ "inet", "udp", false },    { "inet", "udp", true },
		{ "inet6", "tcp", false },   { "inet6", "tcp", true },
		{ "inet6", "udp", false },   { "inet6", "udp", true },
		{ "unix", "stream", false }, { "unix", "dgram", false },
		{ "other", "other", false },
	};
	struct process_network_record record = example;

	for (uint32_t flow = 0; flow < NETWORK_FLOWS; flow++) {
		record.flow = flow;
		assert_int_equal(decode(&record, sizeof(record)), 0);
		assert_string_equal(said.family, names[flow].family);
		assert_string_equal(said.protocol, names[flow].protocol);
		assert_int_equal(said.loopback, names[flow].loopback);
	}
}

static void bytes_that_are_no_record_are_refused(void **state)
{
	struct process_network_record record = example;

	count = 0;
	for (size_t size = 0; size < sizeof(record); size++)
		assert_int_equal(decode(&record, size), -EBADMSG);
	record.flow = NETWORK_FLOWS;
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	record.flow = UINT32_MAX;
	assert_int_equal(decode(&record, sizeof(record)), -EBADMSG);
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_count_goes_to_its_field),
		cmocka_unit_test(its_peer_is_an_address_and_a_port),
		cmocka_unit_test(each_flow_has_its_names),
		cmocka_unit_test(bytes_that_are_no_record_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
