/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "base/clock.h"
#include "findings/failure/cause.h"
#include "findings/failure/failed_open.h"

/* A file that it could not open before it gave up. */

static const int missing[] = { ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG };
static const int forbidden[] = { EACCES, EPERM, EROFS };

/* Of an argument it is certain that the program wanted it; of another file that it was the last
 * thing that went wrong. */
static bool find(const struct failure_case *failure, const int *errors, size_t count,
		 struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	enum finding_confidence most;
	enum open_place place = OPEN_OTHER;

	if (!culprit || culprit->status != PROCESS_FAILED)
		return false;
	ret->open = failed_open_find(failure, errors, count, &place);
	if (!ret->open)
		return false;
	ret->number = ret->open->error;
	ret->at = ret->open->last_at;
	most = CONFIDENCE_MEDIUM;
	if (place == OPEN_ARGUMENT && culprit->ended_at - ret->at <= NS_PER_S)
		most = CONFIDENCE_HIGH;
	if (ret->confidence > most)
		ret->confidence = most;
	return true;
}

static bool find_missing(const struct failure_case *failure, struct cause *ret)
{
	return find(failure, missing, sizeof(missing) / sizeof(missing[0]), ret);
}

static bool find_forbidden(const struct failure_case *failure, struct cause *ret)
{
	return find(failure, forbidden, sizeof(forbidden) / sizeof(forbidden[0]), ret);
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	const struct tree_process *process = case_process(failure, cause->process);
	char text[24];

	buffer_printf(out, " could not open %.400s (%s)", cause->open->path,
		      words_errno(cause->number, text));
	buffer_printf(out, ", and ended with exit code %d", process->exit_code);
	words_after(out, failure, cause->process);
	buffer_append_char(out, '.');
	if (cause->confidence < CONFIDENCE_HIGH)
		buffer_append_text(out, " That was the last file that it failed to open.");
}

static void headline_missing(const struct failure_case *failure, const struct cause *cause,
			     struct buffer *out)
{
	buffer_printf(out, ": no file %.100s", cause->open->path);
}

static void headline_forbidden(const struct failure_case *failure, const struct cause *cause,
			       struct buffer *out)
{
	buffer_printf(out, ": no permission for %.100s", cause->open->path);
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	evidence_text(json, "path", cause->open->path);
	evidence_text(json, "errno", name_errno(cause->number, text));
	json_key(json, "exit_code");
	json_i64(json, case_process(failure, cause->process)->exit_code);
}

static void advise_missing(const struct failure_case *failure, const struct cause *cause,
			   struct buffer *out)
{
	buffer_append_text(out, "Check how the path is written, and whether an earlier step was to "
				"make it (or its folder).");
}

static void advise_forbidden(const struct failure_case *failure, const struct cause *cause,
			     struct buffer *out)
{
	buffer_printf(out, "Check who may open it: `ls -ld '%.400s'`, and the folders above it.",
		      cause->open->path);
}

const struct cause_kind cause_file_missing = {
	.name = "file_missing",
	.find = find_missing,
	.tell = tell,
	.headline = headline_missing,
	.evidence = evidence,
	.advise = advise_missing,
	.shared = SHARED_STEP | SHARED_TOOL | SHARED_PATH,
};

const struct cause_kind cause_permission_denied = {
	.name = "permission_denied",
	.find = find_forbidden,
	.tell = tell,
	.headline = headline_forbidden,
	.evidence = evidence,
	.advise = advise_forbidden,
	.shared = SHARED_STEP | SHARED_TOOL | SHARED_PATH,
};
