/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/invoice/reconcile.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define HOUR_NS (3600 * (int64_t)NS_PER_S)
/* Of an hour: its rate and each of its cells are rounded. */
#define ROUNDED_NUSD 64

#define REMAINDER_NAME(name, key, title) [REMAINDER_##name] = { #key, title },
const struct remainder_name REMAINDER_NAMES[REMAINDERS_COUNT] = { REMAINDERS(REMAINDER_NAME) };
#undef REMAINDER_NAME

/* The kinds of lines with a remainder of their own; what differs between billed and effective is
 * apart. */
static const struct {
	const char *kind;
	enum remainder remainder;
} KINDS[] = {
	{ "commitment_unused", REMAINDER_UNUSED },
	{ "disk", REMAINDER_DISK },
	{ "network", REMAINDER_NETWORK },
	{ "control_plane", REMAINDER_CONTROL_PLANE },
	{ "support", REMAINDER_SUPPORT },
	{ "tax", REMAINDER_TAX },
	{ "credit", REMAINDER_CREDIT },
	{ "discount", REMAINDER_DISCOUNT },
	{ "rounding", REMAINDER_ROUNDING },
	{ "other", REMAINDER_OTHER },
};

int64_t invoice_sum(const struct invoice *invoice)
{
	int64_t sum = invoice->tasks_nusd + invoice->engines_nusd + invoice->unallocated_nusd;

	for (size_t i = 0; i < REMAINDERS_COUNT; i++)
		sum += invoice->remainder[i];
	return sum;
}

/* number × part / whole, towards 0. */
static int64_t scale(int64_t number, int64_t part, int64_t whole)
{
	return (int64_t)((__int128)number * part / whole);
}

/* An instance's hour: its rows, one an invoice. */
struct hour {
	struct billed_hour *rows;
	size_t count;
	int64_t effective_nusd, used_ns;
};

/* The rows from `hours` on that are of the same hour. */
static struct hour take_hour(struct billed_hour *hours, size_t count)
{
	struct hour hour = { .rows = hours };

	while (hour.count < count && hours[hour.count].hour_at == hours->hour_at &&
	       strcmp(hours[hour.count].instance_id, hours->instance_id) == 0) {
		hour.effective_nusd += hours[hour.count].effective_nusd;
		hour.used_ns += hours[hour.count].used_ns;
		hour.count++;
	}
	if (hour.used_ns <= 0)
		hour.used_ns = HOUR_NS;
	return hour;
}

/* The part of an amount of the hour that belongs to its row: as the row's part of what the hour
 * effectively cost; the parts of all rows add up to it. *before: of the rows before, 0 at first. */
static int64_t part_of_row(const struct hour *hour, size_t row, int64_t amount, int64_t *before)
{
	int64_t upto = 0, until;

	if (row + 1 == hour->count)
		return amount - *before;
	if (hour->effective_nusd == 0)
		return 0;
	for (size_t i = 0; i <= row; i++)
		upto += hour->rows[i].effective_nusd;
	until = scale(amount, upto, hour->effective_nusd);
	upto = until - *before;
	*before = until;
	return upto;
}

/* What the hour was for. */
struct parts {
	int64_t tasks, engines, unallocated, no_agent, beyond, price, rounding;
};

static struct parts split_hour(const struct hour *hour, const struct seen_hour *seen)
{
	struct parts parts = { .tasks = seen->tasks_nusd,
			       .engines = seen->engines_nusd,
			       .unallocated = seen->unallocated_nusd };
	int64_t cost = parts.tasks + parts.engines + parts.unallocated, rest;
	int64_t up_ns = seen->up_ns < hour->used_ns ? seen->up_ns : hour->used_ns;
	int64_t of_seen = scale(hour->effective_nusd, up_ns, hour->used_ns);

	parts.no_agent = hour->effective_nusd - of_seen;
	if (seen->up_ns > hour->used_ns)
		parts.beyond = -scale(cost, seen->up_ns - hour->used_ns, seen->up_ns);
	rest = of_seen - cost - parts.beyond;
	if (llabs(rest) <= ROUNDED_NUSD)
		parts.rounding = rest;
	else
		parts.price = rest;
	return parts;
}

static void give(struct invoice *invoices, const struct hour *hour, const struct parts *parts)
{
	int64_t before[7] = { 0 };

	for (size_t i = 0; i < hour->count; i++) {
		struct invoice *invoice = &invoices[hour->rows[i].invoice];
		const struct {
			int64_t amount, *to;
		} amounts[] = {
			{ parts->tasks, &invoice->tasks_nusd },
			{ parts->engines, &invoice->engines_nusd },
			{ parts->unallocated, &invoice->unallocated_nusd },
			{ parts->beyond, &invoice->remainder[REMAINDER_BEYOND] },
			{ parts->price, &invoice->remainder[REMAINDER_PRICE] },
			{ parts->no_agent, &invoice->remainder[REMAINDER_NO_AGENT] },
		};
		int64_t rest = hour->rows[i].effective_nusd;

		for (size_t k = 0; k < sizeof(amounts) / sizeof(amounts[0]); k++) {
			int64_t part = part_of_row(hour, i, amounts[k].amount, &before[k]);

			*amounts[k].to += part;
			rest -= part;
		}
		invoice->remainder[REMAINDER_ROUNDING] += rest;
	}
}

static void mark_rows(const struct hour *hour, const struct seen_hour *seen)
{
	int64_t before = 0, listed_before = 0;
	int64_t cost = seen->tasks_nusd + seen->engines_nusd + seen->unallocated_nusd;

	for (size_t i = 0; i < hour->count; i++) {
		struct billed_hour *row = &hour->rows[i];

		row->seen = true;
		row->up_ns = seen->up_ns;
		row->seen_nusd = part_of_row(hour, i, cost, &before);
		row->listed = seen->listed;
		row->listed_nusd = part_of_row(hour, i, seen->listed_nusd, &listed_before);
	}
}

static int compare(const struct billed_hour *billed, const struct seen_hour *seen)
{
	int order = strcmp(billed->instance_id, seen->instance_id);

	return order ? order
		     : (billed->hour_at > seen->hour_at) - (billed->hour_at < seen->hour_at);
}

/* Both lists have the same order. */
static void reconcile_hours(const struct reconcile *all)
{
	size_t seen = 0, at = 0;

	while (at < all->hour_count) {
		struct hour hour = take_hour(&all->hours[at], all->hour_count - at);
		struct parts parts = { .no_agent = hour.effective_nusd };

		while (seen < all->seen_count && compare(hour.rows, &all->seen[seen]) > 0)
			seen++;
		if (seen < all->seen_count && compare(hour.rows, &all->seen[seen]) == 0) {
			parts = split_hour(&hour, &all->seen[seen]);
			mark_rows(&hour, &all->seen[seen]);
		}
		give(all->invoices, &hour, &parts);
		at += hour.count;
	}
}

static enum remainder remainder_of(const struct billed_kind *kind)
{
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
		if (strcmp(KINDS[i].kind, kind->kind) == 0)
			return KINDS[i].remainder;
	return REMAINDER_UNEXPLAINED;
}

static void reconcile_kind(struct invoice *invoice, const struct billed_kind *kind)
{
	int64_t differs = kind->billed_nusd - kind->effective_nusd;
	bool committed = kind->committed || strncmp(kind->kind, "commitment", 10) == 0;

	if (strcmp(kind->kind, "commitment_purchase") == 0) {
		invoice->remainder[REMAINDER_BALANCE] += kind->billed_nusd;
		return;
	}
	invoice->remainder[committed ? REMAINDER_BALANCE : REMAINDER_UNEXPLAINED] += differs;
	if (!kind->of_instance)
		invoice->remainder[remainder_of(kind)] += kind->effective_nusd;
}

void reconcile(const struct reconcile *all)
{
	for (size_t i = 0; i < all->invoice_count; i++)
		all->invoices[i] = (struct invoice){ .billed_nusd = all->invoices[i].billed_nusd };
	reconcile_hours(all);
	for (size_t i = 0; i < all->kind_count; i++)
		reconcile_kind(&all->invoices[all->kinds[i].invoice], &all->kinds[i]);
	for (size_t i = 0; i < all->invoice_count; i++) {
		struct invoice *invoice = &all->invoices[i];
		int64_t rest = invoice->billed_nusd - invoice_sum(invoice);
		/* Each row of the input was rounded once. */
		bool rounded = llabs(rest) <= (int64_t)(all->hour_count + all->kind_count + 1);

		invoice->remainder[rounded ? REMAINDER_ROUNDING : REMAINDER_UNEXPLAINED] += rest;
	}
}
