/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"

/* `tracer bill`: imports the bills of providers, lists them, and shows what an invoice is for. */

struct bill_settings {
	struct common common;
	bool hours;
};

static const struct config_option options[] = {
	COMMON_OPTIONS(struct bill_settings),
	{ "hours", CONFIG_BOOL, offsetof(struct bill_settings, hours), "false", 0, 0,
	  "each hour of each instance: billed beside computed" },
};

static const struct column list_columns[] = {
	{ "id", "ID", FORMAT_TEXT, 0 },
	{ "name", "NAME", FORMAT_TEXT, 32 },
	{ "format", "FORMAT", FORMAT_TEXT, 0 },
	{ "account_id", "ACCOUNT", FORMAT_TEXT, 24 },
	{ "since_at", "FROM", FORMAT_TIME, 0 },
	{ "until_at", "TO", FORMAT_TIME, 0 },
	{ "lines", "LINES", FORMAT_COUNT, 0 },
	{ "currency", "IN", FORMAT_TEXT, 0 },
	{ "billed_usd", "BILLED", FORMAT_USD, 0 },
	{ "state", "STATE", FORMAT_TEXT, 0 },
};

static const struct column hour_columns[] = {
	{ "instance_id", "INSTANCE", FORMAT_TEXT, 24 },
	{ "at", "HOUR", FORMAT_TIME, 0 },
	{ "billed_s", "BILLED FOR", FORMAT_SECONDS, 0 },
	{ "up_s", "SEEN FOR", FORMAT_SECONDS, 0 },
	{ "billed_usd", "BILLED", FORMAT_USD, 0 },
	{ "effective_usd", "EFFECTIVE", FORMAT_USD, 0 },
	{ "cost_usd", "TASKS AND IDLE", FORMAT_USD, 0 },
	{ "listed_usd", "AT LIST PRICE", FORMAT_USD, 0 },
};

/* In a word, what the table says of a file. */
static const char *state_of(const json_t *bill)
{
	if (!json_is_true(json_object_get(bill, "complete")))
		return "other files missing";
	if (json_is_string(json_object_get(bill, "superseded_by")))
		return "replaced";
	if (json_is_true(json_object_get(bill, "corrects")))
		return "corrections";
	return json_is_true(json_object_get(bill, "final")) ? "final" : "provisional";
}

static int list_bills(const struct bill_settings *settings)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	int code = client_get(&settings->common, "/bills", &document, &err);
	json_t *bills = json_object_get(document, "bills"), *bill;
	size_t i;

	if (code < 0)
		return client_failed("bill", code, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	if (json_array_size(bills) == 0) {
		fprintf(stderr, "No bill was imported: tracer bill import FILE…\n");
		return EXIT_NOTHING;
	}
	json_array_foreach(bills, i, bill)
	{
		json_object_set_new(bill, "state", json_string(state_of(bill)));
	}
	print_table(stdout, bills, list_columns, sizeof(list_columns) / sizeof(*list_columns));
	return EXIT_DONE;
}

static void print_line(const char *title, const char *service, double usd)
{
	char words[96];

	snprintf(words, sizeof(words), "%s%s%s", title, service ? ": " : "",
		 service ? service : "");
	printf("  %-52.52s %18.9f\n", words, usd);
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* What the invoice is for: the lines add up to what was billed. */
static void print_invoice(const json_t *invoice, const json_t *remainder)
{
	const json_t *row;
	size_t i;

	printf("Invoice ");
	print_text(stdout, text(invoice, "invoice"));
	printf(": billed %s %s, effectively %s\n", text(invoice, "billed"),
	       text(invoice, "currency"), text(invoice, "effective"));
	if (!json_is_number(json_object_get(invoice, "billed_usd"))) {
		printf("  (in another currency than USD: not compared)\n");
		return;
	}
	print_line("tasks", NULL, number(invoice, "tasks_usd"));
	print_line("engines and shells", NULL, number(invoice, "engines_usd"));
	print_line("hosts that nothing held", NULL, number(invoice, "unallocated_usd"));
	json_array_foreach(remainder, i, row)
	{
		if (strcmp(text(row, "invoice"), text(invoice, "invoice")) == 0)
			print_line(text(row, "title"), text(row, "service"), number(row, "usd"));
	}
	printf("  %-52s %18.9f\n", "= billed", number(invoice, "billed_usd"));
}

static int show_bill(const struct bill_settings *settings, const char *id)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	const json_t *invoice;
	size_t i;
	int code;

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/bills/");
	client_escape(&path, id);
	buffer_append_text(&path, settings->hours ? "?hours=true" : "");
	code = client_get(&settings->common, path.data, &document, &err);
	if (code < 0)
		return client_failed("bill", code, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	if (json_is_string(json_object_get(document, "superseded_by"))) {
		printf("replaced by a later bill of the same account and period: tracer bill ");
		print_text(stdout, text(document, "superseded_by"));
		putchar('\n');
	}
	json_array_foreach(json_object_get(document, "invoices"), i, invoice)
	{
		print_invoice(invoice, json_object_get(document, "remainder"));
	}
	if (settings->hours)
		print_table(stdout, json_object_get(document, "hours"), hour_columns,
			    sizeof(hour_columns) / sizeof(*hour_columns));
	return EXIT_DONE;
}

/* One file of an export of `count`. */
static int send_file(const struct common *common, const char *file, const char *batch, int count,
		     json_t **ret, struct error *err)
{
	int fd CLEANUP(closep) = open(file, O_RDONLY | O_CLOEXEC);
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	const char *slash = strrchr(file, '/');
	struct stat info;

	if (fd < 0 || fstat(fd, &info) < 0)
		return error_set(err, -errno, "%s: %s", file, strerror(errno));
	if (!S_ISREG(info.st_mode))
		return error_set(err, -EINVAL, "%s is no file", file);
	buffer_init(&path, 4096);
	buffer_append_text(&path, "/bills?name=");
	client_escape(&path, slash ? slash + 1 : file);
	if (count > 1)
		buffer_printf(&path, "&batch=%s&files=%d", batch, count);
	return client_post_file(common, path.data, fd, (uint64_t)info.st_size, ret, err);
}

static int import_files(const struct bill_settings *settings, int count, char **files)
{
	char batch[48];

	if (count == 0)
		return command_usage("bill", "name the FILEs to import");
	/* No other import has it. */
	snprintf(batch, sizeof(batch), "%" PRId64 "-%d", clock_real_ns(), (int)getpid());
	for (int i = 0; i < count; i++) {
		json_t *answer CLEANUP(json_decrefp) = NULL;
		struct error err = { 0 };
		int code = send_file(&settings->common, files[i], batch, count, &answer, &err);

		if (code < 0 && i)
			fprintf(stderr,
				"tracer bill: of %d files %d are stored, and none of them "
				"counts: import all again\n",
				count, i);
		if (code < 0) {
			fprintf(stderr, "tracer bill: %s is not imported\n", files[i]);
			return command_failed("bill", &err);
		}
		if (settings->common.json)
			print_json(answer);
		else
			printf("%s: %" JSON_INTEGER_FORMAT " lines of %s, bill %s\n", files[i],
			       json_integer_value(json_object_get(answer, "lines")),
			       text(answer, "format"), text(answer, "id"));
	}
	return EXIT_DONE;
}

static int run_bill(void *settings_, int argc, char **argv)
{
	const struct bill_settings *settings = settings_;

	if (argc > 0 && strcmp(argv[0], "import") == 0)
		return import_files(settings, argc - 1, argv + 1);
	if (argc > 1)
		return command_usage("bill", "too many arguments");
	return argc ? show_bill(settings, argv[0]) : list_bills(settings);
}

extern const struct command cli_bill;
const struct command cli_bill = {
	.name = "bill",
	.arguments = "[ID | import FILE…]",
	.summary = "import a provider's bill, and show what an invoice was for",
	OPTIONS(options),
	.settings_size = sizeof(struct bill_settings),
	.run = run_bill,
};
