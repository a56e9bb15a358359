/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"

static int64_t used_until(const struct sweep_session *session)
{
	return session->used_until > session->started_at ? session->used_until
							 : session->started_at;
}

static bool is_forgotten(const struct sweep_input *input, const struct sweep_session *session)
{
	int64_t fresh_ns = sweep_limit_ns(input, SWEEP_FRESH_S);

	return session->started_at > 0 && llabs(input->now_at - session->known_until) <= fresh_ns &&
	       input->now_at - session->started_at >=
		       sweep_limit_ns(input, SWEEP_SESSION_SHORT_S) &&
	       session->known_until - used_until(session) >=
		       sweep_limit_ns(input, SWEEP_SESSION_PATIENCE_S);
}

static bool is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
			const struct sweep_host *host, const struct sweep_session *session)
{
	const struct sweep_concerns concerns = {
		.kind = finder->name,
		.user = session->user,
		.hostname = host->hostname,
		.labels = session->labels,
		.tags = host->tags,
	};

	return sweep_policy_exempts(input->policy, &concerns);
}

/* Whether the host is paid for because of it alone: nothing else was done there since, but for the
 * end of what the session itself did. */
static bool keeps_host(const struct sweep_input *input, const struct sweep_host *host,
		       const struct sweep_session *session)
{
	struct host_rest rest;

	return host->used_until <= used_until(session) + HOST_MINUTE_NS &&
	       host_is_at_rest(input, host, used_until(session),
			       sweep_limit_ns(input, SWEEP_SESSION_PATIENCE_S), &rest);
}

static char *write_summary(const struct sweep_input *input, const struct sweep_host *host,
			   const struct sweep_session *session, bool keeps)
{
	char open[32], idle[32], memory[32];
	CLEANUP(freep) char *holds = NULL;

	text_duration((uint64_t)(input->now_at - session->started_at), open, sizeof(open));
	text_duration((uint64_t)(input->now_at - used_until(session)), idle, sizeof(idle));
	if (session->memory_bytes > 0)
		holds = host_printf(
			" It holds %s of memory.",
			text_bytes((uint64_t)session->memory_bytes, memory, sizeof(memory)));
	return host_printf(
		"A %s%s%s is open on %s for %s and unused for %s.%s %s",
		session->notebook ? "notebook" : "shell",
		host_text_is_known(session->user) ? " of " : "",
		host_text_is_known(session->user) ? session->user : "", host_name(host), open, idle,
		holds ? holds : "",
		keeps ? "Nothing else was done there since: the host is paid for because of it."
		      : "The host does other work: ending it saves nothing by itself.");
}

static char *write_evidence(const struct sweep_session *session, bool keeps)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "command", session->command);
	waste_evidence_i64(&evidence, "pid", session->pid);
	waste_evidence_i64(&evidence, "started_at", session->started_at);
	waste_evidence_i64(&evidence, "used_until_at", used_until(session));
	if (session->memory_bytes >= 0)
		waste_evidence_i64(&evidence, "memory_bytes", session->memory_bytes);
	waste_evidence_i64(&evidence, "keeps_host", keeps);
	return waste_evidence_end(&evidence);
}

static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_host *host, const struct sweep_session *session,
	       struct wastes *ret)
{
	bool keeps = keeps_host(input, host, session);
	struct waste waste = {
		.subject = WASTE_RUN,
		.id = host_copy(session->run_id),
		.name = host_printf("%s on %s", session->notebook ? "notebook" : "shell",
				    host_name(host)),
		.host_id = host_copy(host->id),
		.run_id = host_copy(session->run_id),
		.who = host_copy(session->user),
		.since_at = used_until(session),
		.nusd_hour = keeps ? host->nusd_hour : 0,
		.confidence = CONFIDENCE_HIGH,
		.summary = write_summary(input, host, session, keeps),
		.evidence = write_evidence(session, keeps),
		.advice = host_copy(keeps ? "Close it, then stop the host."
					  : "Close it if it is forgotten."),
	};

	if (session->pid > 1)
		waste.command = host_printf("kill -HUP %lld", (long long)session->pid);
	return waste_add(finder, input, waste, ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->session_count; i++) {
		const struct sweep_session *session = &input->sessions[i];
		const struct sweep_host *host = sweep_host_find(input, session->host_id);

		if (host && !host->by_design && sweep_host_is_fresh(input, host) &&
		    is_forgotten(input, session) && !is_exempted(finder, input, host, session))
			rc = add(finder, input, host, session, ret);
	}
	return rc;
}

extern const struct waste_finder waste_session_idle;
const struct waste_finder waste_session_idle = {
	.name = "session_idle",
	.title = "Session forgotten",
	.find = find,
};
