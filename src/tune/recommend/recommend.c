/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/recommend.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/recommend/recommend_rank.h"

#define PRICED_FIRST  1024
#define NORMAL        1.645 /* standard deviations of a normal distribution: 90 % are within */
#define HARDLY        0.05  /* what is no likelier is not in the interval */
#define UNKNOWN_TAKEN 0.4
#define NS_PER_HOUR   3.6e12

struct finding {
	const struct placeable *work;
	const struct recommend_ask *ask;
	const struct recommend_machine *machines;
	const struct recommend_offer *offers;
	size_t offer_count;
	struct priced_list list;
	struct recommendation *ret;
};

static int add(struct priced_list *list, const struct priced *priced)
{
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : PRICED_FIRST;
		struct priced *grown = reallocarray(list->items, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		list->items = grown;
		list->room = room;
	}
	list->items[list->count++] = *priced;
	return 0;
}

static double usd_of(const struct recommend_offer *offer, double ns)
{
	return offer->usd_hour * ns / NS_PER_HOUR;
}

static struct recommend_span span_of(double likely, double most, double loss, double once)
{
	return (struct recommend_span){ likely + loss, likely / most,
					likely * most + fmax(loss, once) };
}

/* The part of such machines that is taken back; where it is not known, that of the worst band that
 * a provider publishes (more than 20 %: what is not known must not win by it). */
static double taken_part(const struct recommend_offer *offer)
{
	if (!offer->taken_back)
		return 0;
	return offer->interrupted < 0 ? UNKNOWN_TAKEN : offer->interrupted;
}

/* A machine that is taken back costs as long again as the work lost. */
static void price(const struct finding *finding, const struct recommend_offer *offer, double spread,
		  struct priced *priced)
{
	const struct placement *placement = &priced->placement;
	double most = exp(NORMAL * spread), lost = finding->work->lost_ns;
	double part = taken_part(offer), once = part > HARDLY ? lost : 0;

	priced->loss_ns = part * lost;
	priced->wall_ns = span_of(placement->wall_ns, most, priced->loss_ns, once);
	priced->usd = span_of(usd_of(offer, placement->host_ns), most,
			      usd_of(offer, part * placement->starts * lost), usd_of(offer, once));
}

static int price_offers(struct finding *finding, size_t first, size_t end, struct priced *priced)
{
	const struct recommend_machine *machine =
		&finding->machines[finding->offers[first].machine];
	double doubt;
	int rc = 0;

	priced->doubts = machine_doubts(&finding->ask->measured, machine);
	doubt = machine_doubt_spread(priced->doubts);
	for (size_t i = first; rc == 0 && i < end; i++) {
		if (finding->list.count == RECOMMEND_PRICED_MAX) {
			finding->ret->cut = true;
			return 0;
		}
		priced->offer = i;
		priced->taken_back = finding->offers[i].taken_back;
		price(finding, &finding->offers[i], hypot(priced->placement.spread, doubt), priced);
		rc = add(&finding->list, priced);
	}
	return rc;
}

/* 1, 2, 3, 4, 6, 8, 12, 16, 24, … */
static size_t more_hosts(size_t hosts)
{
	if (hosts < 4)
		return hosts + 1;
	return (hosts & (hosts - 1)) == 0 ? hosts / 2 * 3 : hosts / 3 * 4;
}

/* Whether that many machines are worth more than fewer. */
static bool helps(const struct placement *more, const struct placement *less)
{
	return more->wall_ns < less->wall_ns * (1 - RECOMMEND_NEAR / 2) ||
	       more->host_ns < less->host_ns * (1 - RECOMMEND_NEAR / 2);
}

/* Until more machines do not help. */
static int place_on(struct finding *finding, size_t first, size_t end)
{
	const struct recommend_machine *machine =
		&finding->machines[finding->offers[first].machine];
	struct placement before = { .wall_ns = INFINITY, .host_ns = INFINITY };
	enum placement_refusal refusal = PLACEMENT_FITS;
	int rc = 0;

	for (size_t hosts = 1; rc == 0 && hosts <= finding->work->hosts_most;
	     hosts = more_hosts(hosts)) {
		struct priced priced = { .hosts = hosts };

		rc = finding->work->place(finding->work->state, machine, hosts, &priced.placement);
		refusal = hosts == 1 ? priced.placement.refusal : refusal;
		if (rc || priced.placement.refusal != PLACEMENT_FITS ||
		    !helps(&priced.placement, &before))
			break;
		rc = price_offers(finding, first, end, &priced);
		before = priced.placement;
	}
	if (refusal != PLACEMENT_FITS)
		finding->ret->refused[refusal]++;
	return rc;
}

static double moved_bytes(const struct finding *finding, const struct recommend_offer *offer)
{
	const struct recommend_ask *ask = finding->ask;
	const struct recommend_machine *machine = &finding->machines[offer->machine];

	if (!*offer->region)
		return 0;
	if (*ask->region && strcmp(ask->region, offer->region) == 0 &&
	    strcmp(ask->measured.provider, machine->provider) == 0)
		return 0;
	return ask->input_bytes;
}

static double headroom_of(const struct recommend_machine *machine,
			  const struct placement *placement)
{
	return placement->memory_peak_bytes < 0
		       ? -1
		       : 1 - placement->memory_peak_bytes / machine->memory_bytes;
}

static struct recommend_candidate candidate_of(const struct finding *finding,
					       const struct priced *priced)
{
	const struct recommend_offer *offer = &finding->offers[priced->offer];
	const struct recommend_machine *machine = &finding->machines[offer->machine];

	return (struct recommend_candidate){
		.offer = priced->offer,
		.hosts = priced->hosts,
		.placement = priced->placement,
		.wall_ns = priced->wall_ns,
		.usd = priced->usd,
		.memory_headroom = headroom_of(machine, &priced->placement),
		.loss_ns = priced->loss_ns,
		.move_bytes = moved_bytes(finding, offer),
		.doubts = priced->doubts,
		.marks = priced->marks,
		.front = priced->front,
	};
}

static int take_candidates(struct finding *finding)
{
	struct recommendation *ret = finding->ret;

	priced_rank(&finding->list, finding->ask);
	ret->candidates = calloc(finding->ask->limit, sizeof(*ret->candidates));
	if (!ret->candidates)
		return -ENOMEM;
	for (size_t i = 0; i < finding->list.count && ret->count < finding->ask->limit; i++) {
		ret->front_count += finding->list.items[i].front;
		ret->candidates[ret->count++] = candidate_of(finding, &finding->list.items[i]);
	}
	return 0;
}

int recommend_find(const struct placeable *work, const struct recommend_ask *ask,
		   const struct recommend_machine *machines, size_t machine_count,
		   const struct recommend_offer *offers, size_t offer_count,
		   struct recommendation *ret)
{
	struct finding finding = { .work = work,
				   .ask = ask,
				   .machines = machines,
				   .offers = offers,
				   .offer_count = offer_count,
				   .ret = ret };
	int rc = 0;

	(void)machine_count;
	*ret = (struct recommendation){ 0 };
	for (size_t first = 0, end; rc == 0 && first < offer_count; first = end) {
		for (end = first; end < offer_count && offers[end].machine == offers[first].machine;
		     end++)
			;
		rc = place_on(&finding, first, end);
	}
	if (rc == 0)
		rc = take_candidates(&finding);
	free(finding.list.items);
	return rc;
}

void recommendation_clear(struct recommendation *recommendation)
{
	free(recommendation->candidates);
	*recommendation = (struct recommendation){ 0 };
}

const char *recommend_mark_name(enum recommend_mark mark)
{
	static const char *const NAMES[] = { [RECOMMEND_CHEAPEST] = "cheapest",
					     [RECOMMEND_FASTEST] = "fastest",
					     [RECOMMEND_IN_TIME] = "cheapest_in_time",
					     [RECOMMEND_BELOW] = "fastest_below" };

	return NAMES[mark];
}
