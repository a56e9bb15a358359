/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "findings/failure/cause.h"

/* What storage answered: it is full, or it failed. */

/* Of the culprit itself, else of what it started or is in a pipe with. */
static bool find(const struct failure_case *failure, enum failure_event_kind kind,
		 struct cause *ret)
{
	ret->event = case_event(failure, failure->culprit, kind);
	if (!ret->event) {
		ret->event = case_event_near(failure, kind);
		if (ret->event && ret->confidence > CONFIDENCE_MEDIUM)
			ret->confidence = CONFIDENCE_MEDIUM;
	}
	if (!ret->event)
		return false;
	ret->process = ret->event->process;
	ret->at = ret->event->at;
	ret->number = ret->event->code;
	return true;
}

static bool find_full(const struct failure_case *failure, struct cause *ret)
{
	return find(failure, EVENT_DISK_FULL, ret);
}

static bool find_error(const struct failure_case *failure, struct cause *ret)
{
	return find(failure, EVENT_IO_ERROR, ret);
}

static void tell_path(const struct cause *cause, struct buffer *out)
{
	if (*cause->event->path)
		buffer_printf(out, " when it wrote %.400s", cause->event->path);
	else
		buffer_append_text(out, " when it opened a file");
}

static void tell_full(const struct failure_case *failure, const struct cause *cause,
		      struct buffer *out)
{
	buffer_append_text(out, cause->number == EDQUOT ? " had used up the disk quota"
							: " found no space left on the disk");
	tell_path(cause, out);
	buffer_append_char(out, '.');
}

static void tell_error(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out)
{
	buffer_append_text(out, " met an input/output error");
	if (*cause->event->path)
		buffer_printf(out, " at %.400s", cause->event->path);
	buffer_append_text(out, ": the device or file system failed.");
}

static void headline_full(const struct failure_case *failure, const struct cause *cause,
			  struct buffer *out)
{
	buffer_append_text(out, cause->number == EDQUOT ? ": disk quota used up" : ": disk full");
}

static void headline_error(const struct failure_case *failure, const struct cause *cause,
			   struct buffer *out)
{
	buffer_append_text(out, " met an input/output error");
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	evidence_text(json, "path", cause->event->path);
	evidence_text(json, "mount", cause->event->mount);
	evidence_text(json, "errno", name_errno(cause->number, text));
}

static void advise_full(const struct failure_case *failure, const struct cause *cause,
			struct buffer *out)
{
	buffer_append_text(out,
			   cause->number == EDQUOT
				   ? "Remove files, or ask for a larger quota."
				   : "Make room on that file system (`df -h`, and `df -i` for "
				     "inodes), or write to another one: temporary files follow "
				     "TMPDIR.");
}

static void advise_error(const struct failure_case *failure, const struct cause *cause,
			 struct buffer *out)
{
	buffer_append_text(out, "See the host's kernel log (`dmesg`) and the state of the disk or "
				"file server.");
}

const struct cause_kind cause_disk_full = {
	.name = "disk_full",
	.find = find_full,
	.tell = tell_full,
	.headline = headline_full,
	.evidence = evidence,
	.advise = advise_full,
	.shared = SHARED_STEP | SHARED_TOOL | SHARED_NUMBER,
};

const struct cause_kind cause_io_error = {
	.name = "io_error",
	.find = find_error,
	.tell = tell_error,
	.headline = headline_error,
	.evidence = evidence,
	.advise = advise_error,
	.shared = SHARED_STEP | SHARED_TOOL,
};
