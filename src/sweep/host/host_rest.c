/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/host_rest.h"

/* Sums over minutes, times the seconds that samples cover of them. */
struct sums {
	double lasted, cpu, disk, net;
};

static void add(struct sums *sums, const struct sweep_minute *minute, int sign)
{
	double lasted = sign * host_minute_lasted(minute);

	sums->lasted += lasted;
	sums->cpu += minute->cpu * lasted;
	sums->disk += minute->disk_bytes_s * lasted;
	sums->net += minute->net_bytes_s * lasted;
}

double host_rest_cpu(const struct sweep_input *input, const struct sweep_host *host)
{
	double share = sweep_limit(input, SWEEP_IDLE_CPU);
	double cpus = sweep_limit(input, SWEEP_IDLE_CPUS);

	return host->cpus > 0 && cpus / host->cpus < share ? cpus / host->cpus : share;
}

/* What is no number fits no limit. */
static bool is_quiet(const struct sweep_input *input, double cpu_limit, double cpu, double disk,
		     double net)
{
	return cpu <= cpu_limit && disk <= sweep_limit(input, SWEEP_IDLE_DISK_BYTES_S) &&
	       net <= sweep_limit(input, SWEEP_IDLE_NET_BYTES_S);
}

static bool is_window_quiet(const struct sweep_input *input, const struct sweep_host *host,
			    const struct host_window *window)
{
	return window->covered >= sweep_limit(input, SWEEP_COVERED) &&
	       is_quiet(input, host_rest_cpu(input, host), window->cpu, window->disk_bytes_s,
			window->net_bytes_s);
}

/* The start of the earliest minute, not before from_at, that is quiet and from which on each window
 * of length_ns is; the window that begins at since_at is. */
static int64_t by_minutes(const struct sweep_input *input, const struct sweep_host *host,
			  int64_t from_at, int64_t since_at, int64_t length_ns)
{
	size_t first = host_minute_after(host, since_at), behind = first;
	int64_t known_until = host_known_until(input, host);
	double limit = host_rest_cpu(input, host), covered = sweep_limit(input, SWEEP_COVERED);
	struct sums sums = { 0 };

	while (behind < host->minute_count && host->minutes[behind].at < known_until)
		add(&sums, &host->minutes[behind++], 1);
	for (size_t i = first; i > 0 && host->minutes[i - 1].at >= from_at; i--) {
		const struct sweep_minute *minute = &host->minutes[i - 1];
		int64_t until_at = minute->at + length_ns;
		double of_s;

		add(&sums, minute, 1);
		while (behind > i && host->minutes[behind - 1].at >= until_at)
			add(&sums, &host->minutes[--behind], -1);
		of_s = (double)((until_at < known_until ? until_at : known_until) - minute->at) /
		       1e9;
		if (!(sums.lasted >= covered * of_s) ||
		    !is_quiet(input, limit * sums.lasted, sums.cpu, sums.disk / sums.lasted,
			      sums.net / sums.lasted))
			break;
		if (is_quiet(input, limit, minute->cpu, minute->disk_bytes_s, minute->net_bytes_s))
			since_at = minute->at;
	}
	return since_at;
}

static bool is_hour_quiet(const struct sweep_input *input, const struct sweep_host *host,
			  const struct sweep_hour *hour)
{
	return hour->known_s >= 3600 * sweep_limit(input, SWEEP_COVERED) &&
	       is_quiet(input, host_rest_cpu(input, host), hour->cpu_mean, 0,
			hour->net_bytes / hour->known_s);
}

/* Further back, where minutes are not known any more. Of the hour in which it was last used, or
 * began to be up, what came after that is not known by itself. */
static int64_t by_hours(const struct sweep_input *input, const struct sweep_host *host,
			int64_t from_at, int64_t since_at)
{
	for (size_t i = host->hour_count; i > 0 && since_at > from_at; i--) {
		const struct sweep_hour *hour = &host->hours[i - 1];

		if (hour->at >= since_at)
			continue;
		if (hour->at + HOST_HOUR_NS >= since_at && hour->at <= from_at)
			return from_at;
		if (hour->at + HOST_HOUR_NS < since_at || !is_hour_quiet(input, host, hour))
			break;
		since_at = hour->at;
	}
	return since_at;
}

/* Up to a minute before the first whole one, and up to the one that is not whole. */
static int64_t since(const struct sweep_input *input, const struct sweep_host *host,
		     int64_t from_at, int64_t patience_ns)
{
	int64_t length_ns = patience_ns > HOST_MINUTE_NS ? patience_ns : HOST_MINUTE_NS;
	int64_t start_at = host_known_until(input, host) - patience_ns;
	int64_t since_at = by_minutes(input, host, from_at, start_at, length_ns);

	if (host->minute_count > 0 && since_at <= host->minutes[0].at)
		since_at = by_hours(input, host, from_at, since_at);
	return since_at - from_at < HOST_MINUTE_NS ? from_at : since_at;
}

bool host_gpus_in_use_until(const struct sweep_host *host, int64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < host->gpu_count; i++) {
		if (!host->gpus[i].known)
			return false;
		if (host->gpus[i].busy_until > *ret)
			*ret = host->gpus[i].busy_until;
		if (host->gpus[i].since_at > *ret)
			*ret = host->gpus[i].since_at;
	}
	return true;
}

int64_t host_known_until(const struct sweep_input *input, const struct sweep_host *host)
{
	return host->seen_at < input->now_at ? host->seen_at : input->now_at;
}

bool host_is_at_rest(const struct sweep_input *input, const struct sweep_host *host,
		     int64_t busy_until, int64_t patience_ns, struct host_rest *ret)
{
	int64_t known_until = host_known_until(input, host), from_at = host->up_since, gpu_until;
	struct host_window window;

	if (host->up_since <= 0 || !sweep_host_is_fresh(input, host) ||
	    !host_gpus_in_use_until(host, &gpu_until))
		return false;
	from_at = busy_until > from_at ? busy_until : from_at;
	from_at = gpu_until > from_at ? gpu_until : from_at;
	if (known_until - from_at < patience_ns)
		return false;
	host_window_make(host, known_until - patience_ns, known_until, &window);
	if (!is_window_quiet(input, host, &window))
		return false;
	ret->since_at = since(input, host, from_at, patience_ns);
	host_window_make(host, ret->since_at, known_until, &ret->window);
	return true;
}
