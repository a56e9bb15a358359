/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/boundary_record.h"
#include "lake/store/boundary_rules.h"

#include "base/clock.h"
#include "signal/bounds.h"
#include "signal/sample_figures.h"

#define AHEAD_NS (24 * 3600 * NS_PER_S)
#define CPU_TOLERANCE_NS \
	10e9 /* what was carried from before an exec, ticks, the reading's own time */
#define CPU_FACTOR    1.02
#define CPUS_FACTOR   2   /* CPUs may be added while a host is up */
#define MEMORY_FACTOR 1.5 /* memory may be taken away while a host is up */

bool boundary_instant(const struct boundary_facts *facts, int64_t at)
{
	return at >= BOUNDARY_SINCE_AT && at <= facts->now_at + AHEAD_NS;
}

static int64_t instant_at(const ProtobufCMessage *record, size_t offset)
{
	return *(const int64_t *)(const void *)((const char *)record + offset);
}

static enum boundary_reason check_instants(const struct boundary_facts *facts,
					   const struct record_rules *rules,
					   const ProtobufCMessage *record)
{
	for (size_t i = 0; i < rules->instants_count; i++) {
		int64_t at = instant_at(record, rules->instants[i].offset);

		if (at > facts->now_at + AHEAD_NS)
			return BOUNDARY_FUTURE;
		if (at && at < rules->instants[i].since_at)
			return BOUNDARY_PAST;
	}
	return BOUNDARY_BELIEVED;
}

int64_t boundary_field(const ProtobufCMessage *record, const char *name)
{
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(record->descriptor, name);

	return field ? *(const int64_t *)(const void *)((const char *)record + field->offset) : 0;
}

static enum boundary_reason check_order(const struct record_rules *rules,
					const ProtobufCMessage *record)
{
	for (size_t i = 0; i < RULES_PAIRS; i++) {
		const struct pair_rule *pair = &rules->pairs[i];
		int64_t first = pair->is_there ? instant_at(record, pair->first) : 0;
		int64_t last = pair->is_there ? instant_at(record, pair->last) : 0;

		if (first > 0 && last > 0 && last < first - pair->slack_ns)
			return BOUNDARY_ORDER;
	}
	return BOUNDARY_BELIEVED;
}

/* The CPU time that the host has in that time. */
static double host_ns(const struct boundary_facts *facts, double lifetime_ns)
{
	double cpus = facts->cpus ? (double)facts->cpus * CPUS_FACTOR : BOUND_CPUS;

	return cpus * lifetime_ns + CPU_TOLERANCE_NS;
}

static enum boundary_reason check_cpu(const struct boundary_facts *facts, double cpu_ns,
				      double lifetime_ns)
{
	return cpu_ns > host_ns(facts, lifetime_ns) ? BOUNDARY_CPU : BOUNDARY_BELIEVED;
}

static enum boundary_reason check_memory(const struct boundary_facts *facts, uint64_t rss_bytes)
{
	double memory = (double)facts->memory_bytes * MEMORY_FACTOR;

	if (rss_bytes > BOUND_MEMORY_BYTES || (memory > 0 && (double)rss_bytes > memory))
		return BOUNDARY_MEMORY;
	return BOUNDARY_BELIEVED;
}

/* An execution's threads have no more CPU time than they lived. */
static enum boundary_reason check_consumed(const struct boundary_facts *facts,
					   const Signal__Figures *figures, double lifetime_ns)
{
	double cpu_ns = (double)figures->user_ns + (double)figures->kernel_ns;
	double threads_ns = (double)figures->threads_peak * lifetime_ns;
	enum boundary_reason reason = check_cpu(facts, cpu_ns, lifetime_ns);

	if ((double)figures->threads_ns > threads_ns)
		threads_ns = (double)figures->threads_ns;
	if (!reason && figures->threads_peak && cpu_ns > CPU_FACTOR * threads_ns + CPU_TOLERANCE_NS)
		return BOUNDARY_CPU;
	return reason ? reason : check_memory(facts, figures->rss_peak_bytes);
}

/* How long an execution may have run, at most. A found one may have had other images before. */
static double lifetime_of(const struct boundary_context *context,
			  const Signal__Execution *execution)
{
	int64_t booted_at =
		context->facts->booted_at ? context->facts->booted_at : BOUNDARY_SINCE_AT;
	int64_t end = execution->ended_at > 0 ? execution->ended_at : context->created_at;
	int64_t begin = execution->started_at > 0 ? execution->started_at : booted_at;

	if (execution->found && booted_at < begin)
		begin = booted_at;
	else if (execution->ended_at > 0 && execution->wall_ns)
		return (double)execution->wall_ns;
	return (end > begin ? (double)(end - begin) : 0) + (double)BOUNDARY_SLACK_NS;
}

static enum boundary_reason check_execution(const struct boundary_context *context,
					    const ProtobufCMessage *record)
{
	const Signal__Execution *execution = (const Signal__Execution *)record;
	int64_t lasted = execution->ended_at - execution->started_at;

	if (execution->ended_at > 0 && execution->started_at > 0 &&
	    (double)execution->wall_ns >
		    (double)(lasted > 0 ? lasted : 0) + (double)BOUNDARY_SLACK_NS)
		return BOUNDARY_LIFE;
	if (!execution->figures)
		return BOUNDARY_BELIEVED;
	return check_consumed(context->facts, execution->figures, lifetime_of(context, execution));
}

/* Most intervals are of seconds. A longer one than the slack must lie in a known lifetime. */
static enum boundary_reason check_sample(const struct boundary_context *context,
					 const ProtobufCMessage *record)
{
	const Signal__Sample *sample = (const Signal__Sample *)record;
	const struct boundary_lifetime *lifetime = context->lifetime;
	int64_t lasted = sample->until_at - sample->since_at;
	struct sample_figures figures;
	enum boundary_reason reason;

	if (lasted > BOUNDARY_SLACK_NS &&
	    (!lifetime || sample->since_at < lifetime->started_at - BOUNDARY_SLACK_NS))
		return BOUNDARY_LIFE;
	if (lifetime && lifetime->ended_at &&
	    sample->until_at > lifetime->ended_at + BOUNDARY_SLACK_NS)
		return BOUNDARY_LIFE;
	sample_figures_read(sample, &figures);
	reason = check_cpu(context->facts, (double)figures.user_ns + (double)figures.kernel_ns,
			   (double)lasted + (double)BOUNDARY_SLACK_NS);
	return reason ? reason : check_memory(context->facts, figures.rss_peak_bytes);
}

static enum boundary_reason check_host(const struct boundary_context *context,
				       const ProtobufCMessage *record)
{
	const Signal__Host *host = (const Signal__Host *)record;

	if (!(host->price_usd_hour >= 0 && host->price_usd_hour <= BOUND_PRICE_USD_HOUR))
		return BOUNDARY_PRICE;
	if (host->cpus > BOUND_CPUS)
		return BOUNDARY_CPUS;
	return host->memory_bytes > BOUND_MEMORY_BYTES ? BOUNDARY_MEMORY : BOUNDARY_BELIEVED;
}

static enum boundary_reason check_host_sample(const struct boundary_context *context,
					      const ProtobufCMessage *record)
{
	const Signal__HostSample *sample = (const Signal__HostSample *)record;
	double lasted = (double)(sample->until_at - sample->since_at) + (double)BOUNDARY_SLACK_NS;
	double cpu_ns = (double)sample->cpu_user_ns + (double)sample->cpu_kernel_ns +
			(double)sample->cpu_idle_ns;

	if (cpu_ns > host_ns(context->facts, lasted) ||
	    (double)sample->cpu_tracked_ns > host_ns(context->facts, lasted))
		return BOUNDARY_CPU;
	return sample->memory_used_bytes > BOUND_MEMORY_BYTES ? BOUNDARY_MEMORY : BOUNDARY_BELIEVED;
}

/* What it asked for is of no host that is known. */
static enum boundary_reason check_engine_report(const struct boundary_context *context,
						const ProtobufCMessage *record)
{
	const Signal__ToldTask *task = (const Signal__ToldTask *)record;

	if (!(task->cpus_requested >= 0 && task->cpus_requested <= BOUND_CPUS))
		return BOUNDARY_CPUS;
	return task->memory_requested_bytes > BOUND_MEMORY_BYTES ? BOUNDARY_MEMORY
								 : BOUNDARY_BELIEVED;
}

static const struct {
	const ProtobufCMessageDescriptor *of;
	enum boundary_reason (*check)(const struct boundary_context *context,
				      const ProtobufCMessage *record);
} CHECKS[] = {
	{ &signal__execution__descriptor, check_execution },
	{ &signal__sample__descriptor, check_sample },
	{ &signal__host__descriptor, check_host },
	{ &signal__host_sample__descriptor, check_host_sample },
	{ &signal__told_task__descriptor, check_engine_report },
};

enum boundary_reason boundary_figures(const struct boundary_context *context,
				      const ProtobufCMessage *record)
{
	const struct record_rules *rules = boundary_rules(record->descriptor);
	enum boundary_reason reason = check_instants(context->facts, rules, record);

	if (!reason)
		reason = check_order(rules, record);
	for (size_t i = 0; !reason && i < sizeof(CHECKS) / sizeof(CHECKS[0]); i++)
		if (CHECKS[i].of == record->descriptor)
			reason = CHECKS[i].check(context, record);
	return reason;
}
