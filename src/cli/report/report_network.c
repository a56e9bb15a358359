/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_network.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/lake/group.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

static const char *const sums[] = { "rx_bytes",    "tx_bytes",         "connects",
				    "accepts",     "connect_failures", "resets",
				    "retransmits", "connect_ns",       NULL };

static const struct column columns[] = {
	{ "name", "NETWORK", FORMAT_TEXT, 36 },
	{ "rx_bytes", "RECEIVED", FORMAT_BYTES, 0 },
	{ "tx_bytes", "SENT", FORMAT_BYTES, 0 },
	{ "connects", "CONNECTED", FORMAT_COUNT, 0 },
	{ "accepts", "ACCEPTED", FORMAT_COUNT, 0 },
	{ "connect_failures", "FAILED", FORMAT_COUNT, 0 },
	{ "resets", "RESET", FORMAT_COUNT, 0 },
	{ "retransmits", "SENT AGAIN", FORMAT_COUNT, 0 },
	{ "mean_connect_ns", "TO CONNECT", FORMAT_NS, 0 },
};

/* "TCP with other hosts", "UDP (IPv6) within the host", "UNIX stream". */
static void name_protocol(struct buffer *out, const json_t *row)
{
	const char *family = row_text(row, "family"), *protocol = row_text(row, "protocol");

	if (strcmp(family, "unix") == 0) {
		buffer_append_text(out, "UNIX ");
		print_safe(out, protocol);
		return;
	}
	if (strcmp(family, "inet") != 0 && strcmp(family, "inet6") != 0) {
		buffer_append_text(out, "other sockets (raw, netlink, …)");
		return;
	}
	for (; *protocol; protocol++)
		buffer_append_char(out, isalnum((unsigned char)*protocol)
						? (char)toupper((unsigned char)*protocol)
						: '?');
	buffer_append_text(out, strcmp(family, "inet6") == 0 ? " (IPv6)" : "");
	buffer_append_text(out, json_is_true(json_object_get(row, "loopback"))
					? " within the host"
					: " with other hosts");
}

static void set_mean(json_t *group)
{
	double connects = json_number_value(json_object_get(group, "connects")),
	       connect_ns = json_number_value(json_object_get(group, "connect_ns"));

	if (connects > 0)
		json_object_set_new(group, "mean_connect_ns", json_real(connect_ns / connects));
}

void report_network(FILE *out, const json_t *network)
{
	const struct grouping grouping = { name_protocol, sums, 2 };
	json_t *groups CLEANUP(json_decrefp) = group_rows(network, &grouping);
	json_t *group;
	size_t i;

	if (json_array_size(groups) == 0)
		return;
	json_array_foreach(groups, i, group) set_mean(group);
	fputc('\n', out);
	print_table(out, groups, columns, sizeof(columns) / sizeof(*columns));
	if (json_array_size(network) >= CLIENT_PAGE)
		fprintf(out, "(of the %d uses that moved most)\n", CLIENT_PAGE);
}
