/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/status/status_losses.h"

#include "cli/terminal/print.h"

#define LINES_MAX 20

static void print_member(FILE *out, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	print_text(out, text && *text ? text : "?");
}

static void print_loss(FILE *out, const json_t *host, const json_t *loss)
{
	json_int_t count = json_integer_value(json_object_get(loss, "count"));

	fputs("       ! missing of ", out);
	print_member(out, host, "hostname");
	if (count > 0)
		fprintf(out, ", last 7 days: %lld ", (long long)count);
	else
		fputs(", last 7 days: what the ", out);
	print_member(out, loss, "what");
	fputs(count > 0 ? count == 1 ? " record (" : " records (" : " would have seen (", out);
	print_member(out, loss, "why");
	fputs(")\n", out);
}

void status_losses(FILE *out, const json_t *hosts)
{
	const json_t *host, *loss;
	size_t lines = 0, i, k;

	json_array_foreach(hosts, i, host)
	{
		json_array_foreach(json_object_get(host, "losses"), k, loss)
		{
			if (lines++ < LINES_MAX)
				print_loss(out, host, loss);
		}
	}
	if (lines > LINES_MAX)
		fprintf(out, "       ! and %zu more: see the hosts page of the dashboard\n",
			lines - LINES_MAX);
}
