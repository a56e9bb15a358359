#include "collect/counters.h"

struct counters counters_of(const struct probe_figures *figures)
{
	return (struct counters){
#define COPY(name, kind) .name = figures->name,
		FIGURES(COPY)
#undef COPY
	};
}

uint64_t counters_cpu_ns(const struct counters *counters)
{
	return counters->user_ns + counters->kernel_ns;
}

bool counters_same(const struct counters *a, const struct counters *b)
{
#define DIFFERS(name, kind)     \
	if (a->name != b->name) \
		return false;
	FIGURES(DIFFERS)
#undef DIFFERS
	return true;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The total rises to that of now; neither part falls. */
static void advance_cpu(struct counters *seen, const struct counters *now)
{
	uint64_t total = larger(counters_cpu_ns(seen), counters_cpu_ns(now));
	uint64_t user = larger(seen->user_ns, now->user_ns);

	if (user > total - seen->kernel_ns)
		user = total - seen->kernel_ns;
	seen->user_ns = user;
	seen->kernel_ns = total - user;
}

void counters_advance(struct counters *seen, const struct counters *now)
{
	struct counters earlier = *seen;

#define SUM(name)           seen->name = larger(earlier.name, now->name);
#define LEVEL(name)         seen->name = now->name;
#define PEAK(name)          seen->name = larger(earlier.name, now->name);
#define ADVANCE(name, kind) kind(name)
	FIGURES(ADVANCE)
#undef ADVANCE
#undef SUM
#undef LEVEL
#undef PEAK
	seen->user_ns = earlier.user_ns;
	seen->kernel_ns = earlier.kernel_ns;
	advance_cpu(seen, now);
}

void counters_message(const struct counters *counters, Signal__Figures *ret)
{
	signal__figures__init(ret);
#define COPY(name, kind) ret->name = counters->name;
	FIGURES(COPY)
#undef COPY
}

void counters_growth(const struct counters *earlier, const struct counters *later,
		     Signal__Figures *ret)
{
	Signal__Figures from, to;

	counters_message(earlier, &from);
	counters_message(later, &to);
	signal__figures__init(ret);
	figures_delta(&from, &to, ret);
}

#define CARRIED(F)       \
	F(user_ns)       \
	F(kernel_ns)     \
	F(runnable_ns)   \
	F(minor_faults)  \
	F(major_faults)  \
	F(ctx_voluntary) \
	F(ctx_involuntary)

bool carried_take(struct carried *carried, const struct counters *counters)
{
#define TOO_LARGE(name)                  \
	if (counters->name > UINT32_MAX) \
		return false;
	CARRIED(TOO_LARGE)
#undef TOO_LARGE
#define TAKE(name) carried->name = (uint32_t)counters->name;
	CARRIED(TAKE)
#undef TAKE
	return true;
}

void carried_add(const struct carried *carried, struct counters *counters)
{
#define ADD(name) counters->name += carried->name;
	CARRIED(ADD)
#undef ADD
}
