/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/invoice/seen_hour.h"

/*
 * Holds a provider's invoice against what agents reported: what was billed = what tasks, engines
 * and nothing held of hosts + a remainder, each part of which has a name. All in whole
 * nano-dollars; the sum is that of the invoice to the last one. Pure.
 *
 * The part of a billed hour that agents saw is what the sheet of costs says of it
 * (cost/sheet.h, in billed money); the rest of the hour is without an agent. All other lines are
 * named by their kind. What was billed and what it effectively cost differ by commitments: what was
 * bought of them less what of them was used, or left unused, in this time.
 */
#define REMAINDERS(R)                                                        \
	R(NO_AGENT, no_agent, "hours without an agent")                      \
	R(UNUSED, commitment_unused, "commitments not used")                 \
	R(BALANCE, commitment_balance, "commitments bought, less amortised") \
	R(DISK, disk, "disks")                                               \
	R(NETWORK, network, "network")                                       \
	R(CONTROL_PLANE, control_plane, "control plane")                     \
	R(SUPPORT, support, "support")                                       \
	R(TAX, tax, "tax")                                                   \
	R(CREDIT, credit, "credits")                                         \
	R(DISCOUNT, discount, "discounts")                                   \
	R(OTHER, other, "other services")                                    \
	R(ROUNDING, rounding, "rounding")                                    \
	R(BEYOND, beyond_bill, "hours of agents beyond the billed ones")     \
	R(PRICE, price, "hours at another price than billed")                \
	R(UNEXPLAINED, unexplained, "unexplained")

#define REMAINDER_ENUM(name, key, title) REMAINDER_##name,
enum remainder { REMAINDERS(REMAINDER_ENUM) REMAINDERS_COUNT };
#undef REMAINDER_ENUM

struct remainder_name {
	const char *key, *title;
};
extern const struct remainder_name REMAINDER_NAMES[REMAINDERS_COUNT];

struct invoice {
	int64_t billed_nusd; /* the sum of its lines, rounded once */
	/* filled in */
	int64_t tasks_nusd, engines_nusd, unallocated_nusd;
	int64_t remainder[REMAINDERS_COUNT];
};

/* What an invoice has for an instance in an hour. */
struct billed_hour {
	size_t invoice;
	const char *instance_id;
	int64_t hour_at, billed_nusd, effective_nusd;
	int64_t used_ns; /* for which it was billed; 0: a correction of an hour that was */
	/* filled in */
	int64_t up_ns, seen_nusd,
		listed_nusd; /* seen_nusd: tasks, engines, and what no hold pays */
	bool seen, listed;
};

/* What an invoice has of a kind of lines (table bill_lines). */
struct billed_kind {
	size_t invoice;
	const char *kind;
	bool committed;   /* by a commitment */
	bool of_instance; /* compute that is in the hours, too */
	int64_t billed_nusd, effective_nusd;
};

struct reconcile {
	struct invoice *invoices;
	size_t invoice_count;
	struct billed_hour *hours; /* by instance and hour */
	size_t hour_count;
	const struct billed_kind *kinds;
	size_t kind_count;
	const struct seen_hour *seen; /* by instance and hour */
	size_t seen_count;
};

/* Fills in what is to be filled in. The parts of an invoice add up to billed_nusd. */
void reconcile(const struct reconcile *reconcile);

/* Σ of what the invoice was for. */
int64_t invoice_sum(const struct invoice *invoice);
