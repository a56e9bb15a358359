/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sweep/shell_quote.h"
#include "sweep/work/work_words.h"

#define HOURS_A_MONTH 730.0

/* When tracked work last used the folder; results that someone read since are in use. */
static int64_t used_at(const struct sweep_folder *folder)
{
	return folder->read_at > folder->written_at ? folder->read_at : folder->written_at;
}

/* What lies there costs nothing beside its host, and is removed without that being seen. */
static bool is_temporary(const char *path)
{
	static const char *const FOLDERS[] = { "/tmp/", "/var/tmp/", "/dev/shm/", "/run/" };

	for (size_t i = 0; i < sizeof(FOLDERS) / sizeof(FOLDERS[0]); i++)
		if (strncmp(path, FOLDERS[i], strlen(FOLDERS[i])) == 0)
			return true;
	return false;
}

static bool is_waste(const struct waste_finder *finder, const struct sweep_input *input,
		     const struct sweep_folder *folder)
{
	enum sweep_threshold patience =
		folder->scratch ? SWEEP_UNREAD_SCRATCH_S : SWEEP_UNREAD_PATIENCE_S;
	const struct sweep_host *host = sweep_host_find(input, folder->host_id);

	return (double)folder->bytes >= sweep_limit(input, SWEEP_UNREAD_BYTES) && host &&
	       !is_temporary(folder->path) && sweep_host_is_fresh(input, host) &&
	       (folder->scratch || folder->read_at <= folder->written_at) &&
	       folder->known_since > 0 && folder->known_since <= folder->written_at &&
	       input->now_at - used_at(folder) > sweep_limit_ns(input, patience) &&
	       !sweep_policy_exempts(input->policy, &(struct sweep_concerns){
							    .kind = finder->name,
							    .user = folder->user,
							    .hostname = host->hostname,
							    .pipeline = folder->pipeline,
							    .path = folder->path,
							    .labels = folder->labels,
						    });
}

static int64_t price(const struct sweep_input *input, const struct sweep_folder *folder)
{
	double usd_gb_month = input->policy->usd_gb_month;

	return usd_gb_month > 0
		       ? (int64_t)((double)folder->bytes * usd_gb_month / HOURS_A_MONTH + 0.5)
		       : -1;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_folder *folder)
{
	char bytes[32], since[32], *text = NULL;

	text_bytes(folder->bytes, bytes, sizeof(bytes));
	text_duration((uint64_t)(input->now_at - used_at(folder)), since, sizeof(since));
	return asprintf(&text,
			"%s wrote %s (%zu %s) to %s on %s, and no tracked work %s for %s. What is "
			"not tracked (a person, a copy) may have read or removed it.",
			*work_text(folder->run_name) ? folder->run_name : "A run", bytes,
			folder->files, folder->files == 1 ? "file" : "files", folder->path,
			sweep_host_find(input, folder->host_id)->hostname,
			folder->scratch ? "used it" : "read it", since) < 0
		       ? NULL
		       : text;
}

static char *write_evidence(const struct sweep_input *input, const struct sweep_folder *folder)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "host_id", folder->host_id);
	waste_evidence_text(&evidence, "path", folder->path);
	waste_evidence_i64(&evidence, "bytes", (int64_t)folder->bytes);
	waste_evidence_i64(&evidence, "files", (int64_t)folder->files);
	waste_evidence_number(&evidence, "written_s",
			      (double)(input->now_at - folder->written_at) / 1e9);
	if (folder->read_at > 0)
		waste_evidence_number(&evidence, "read_s",
				      (double)(input->now_at - folder->read_at) / 1e9);
	waste_evidence_text(&evidence, "scratch", folder->scratch ? "yes" : "no");
	return waste_evidence_end(&evidence);
}

/* Only of a folder below another one: no one pastes `rm -r /data` by mistake. */
static char *write_command(const struct sweep_folder *folder)
{
	struct buffer text;

	if (folder->path[0] != '/' || !strchr(folder->path + 1, '/'))
		return NULL;
	buffer_init(&text, 0);
	buffer_append_text(&text, "rm -r --interactive=once -- ");
	shell_quote(&text, folder->path);
	char *command = buffer_take(&text);
	buffer_clear(&text);
	return command;
}

static char *write_id(const struct sweep_folder *folder)
{
	char *text = NULL;

	return asprintf(&text, "%s:%s", folder->host_id, folder->path) < 0 ? NULL : text;
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->folder_count; i++) {
		const struct sweep_folder *folder = &input->folders[i];

		if (!is_waste(finder, input, folder))
			continue;
		rc = waste_add(
			finder, input,
			(struct waste){
				.subject = WASTE_FOLDER,
				.id = write_id(folder),
				.name = work_copy(folder->path),
				.run_id = work_copy(folder->run_id),
				.who = work_copy(folder->user),
				.since_at = used_at(folder),
				.nusd_hour = price(input, folder),
				.confidence = folder->scratch ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW,
				.summary = write_summary(input, folder),
				.evidence = write_evidence(input, folder),
				.advice = work_copy(folder->scratch
							    ? "Remove it, unless the run is to be "
							      "resumed."
							    : "Remove it, or move it to cheaper "
							      "storage."),
				.command = write_command(folder),
			},
			ret);
	}
	return rc;
}

extern const struct waste_finder waste_files_unread;
const struct waste_finder waste_files_unread = {
	.name = "files_unread",
	.title = "Files written, never read",
	.find = find,
};
