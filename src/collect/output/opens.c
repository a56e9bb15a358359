/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/opens.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "collect/output/record.h"
#include "collect/process/agent_clock.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define PATH_BYTES (16u << 10) /* a path, masked */

bool opens_is_sought(const struct probe_open *open)
{
	static const char *const prefixes[] = { "/proc/", "/sys/", "/etc/ld.so.", NULL };
	static const char *const suffixes[] = { ".so",
						".mo",
						".pyc",
						".pth",
						"._pth",
						"/pyvenv.cfg",
						"/pybuilddir.txt",
						"/locale.alias",
						"/locale-archive",
						NULL };
	static const char *const parts[] = { ".so.",          "/locale/",       "/gconv/",
					     "/nls/",         "/glibc-hwcaps/", "/terminfo/",
					     "/__pycache__/", "/hsperfdata_",   NULL };

	if (strcmp(open->path, "/dev/tty") == 0)
		return true;
	if (open->error != ENOENT)
		return false;
	for (size_t i = 0; prefixes[i]; i++)
		if (text_starts_with(open->path, prefixes[i]))
			return true;
	for (size_t i = 0; suffixes[i]; i++)
		if (text_ends_with(open->path, suffixes[i]))
			return true;
	for (size_t i = 0; parts[i]; i++)
		if (strstr(open->path, parts[i]))
			return true;
	return false;
}

/* How much of the path is the folder above. */
static size_t above(const char *folder, size_t len)
{
	while (len && folder[len - 1] != '/')
		len--;
	return len ? len - 1 : 0;
}

/* The path without the "./" and "../" before it, which move the end of the folder: its path is the
 * kernel's and has no links, so that ".." is the folder above. */
static const char *without_dots(const char *path, const char *folder, size_t *len)
{
	for (;;) {
		if (text_starts_with(path, "../"))
			*len = above(folder, *len);
		else if (!text_starts_with(path, "./"))
			return path;
		path = strchr(path, '/');
		path += strspn(path, "/");
	}
}

/* Absolute where that is known, masked. */
static void fill_path(struct buffer *ret, const struct process *process,
		      const struct probe_open *open)
{
	const char *folder = open->in_cwd ? image_cwd(process->image) : "", *path = open->path;
	size_t len = strlen(folder);

	if (*folder == '/') {
		while (len && folder[len - 1] == '/')
			len--;
		path = without_dots(path, folder, &len);
		buffer_append(ret, folder, len);
		buffer_append_char(ret, '/');
	}
	redact_text(path, ret);
	buffer_append_char(ret, '\0');
}

/* "samtools view (pid 12) could not open /data/x.bam: No such file or directory" */
static void record(const struct opens *opens, const struct process *process,
		   const struct probe_open *open)
{
	const char *name = strerrorname_np(open->error), *words = strerrordesc_np(open->error);
	CLEANUP(buffer_clear) struct buffer path = { 0 };
	Signal__Event record = SIGNAL__EVENT__INIT;
	char who[512], detail[32], summary[1024];

	buffer_init(&path, PATH_BYTES);
	fill_path(&path, process, open);
	if (path.failed)
		return;
	(void)snprintf(detail, sizeof(detail), "errno %d", open->error);
	(void)snprintf(summary, sizeof(summary), "%.300s could not open %.500s: %s",
		       process_words(process, who, sizeof(who)), path.data, words ? words : detail);
	record.happened_at = agent_clock_real(opens->clock, open->at_ns);
	record.kind = (char *)(uintptr_t) "open_failed";
	record.code = open->error;
	record.detail = name ? (char *)(uintptr_t)name : detail;
	record.path = path.data;
	record.summary = summary;
	record_process_event(opens->recorder, process, &record);
}

/* It failed again after that. */
static bool is_repeated(const struct probe_opens *failed, size_t i)
{
	for (size_t j = i + 1; j < failed->count; j++)
		if (failed->last[j].error == failed->last[i].error &&
		    failed->last[j].in_cwd == failed->last[i].in_cwd &&
		    strcmp(failed->last[j].path, failed->last[i].path) == 0)
			return true;
	return false;
}

void opens_failed(const struct opens *opens, const struct probe_opens *failed)
{
	const struct process *process = process_table_get(opens->processes, &failed->key);

	if (!process || process_is_noise(process) || !*attribution_run_id(&process->attribution))
		return;
	for (size_t i = 0; i < failed->count; i++)
		if (!opens_is_sought(&failed->last[i]) && !is_repeated(failed, i))
			record(opens, process, &failed->last[i]);
}
