/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The audit log: who changed what in a lake, or was refused. One JSON object a line, in the file
 * audit.jsonl of the data folder (0600). A file of AUDIT_FILE_BYTES is renamed to audit.jsonl.1,
 * and so on; the oldest is removed. Each line is durable when audit_write returns. Any thread of
 * any process may write: the lake, and the commands of tracer-lake while it runs (they lock the
 * file).
 */
#define AUDIT_FILE_BYTES (8u << 20)
#define AUDIT_FILES      5   /* with the one that is written */
#define AUDIT_TEXT_MAX   512 /* bytes of a text; what is longer is cut */

/* Texts may be NULL: not known. */
struct audit_entry {
	const char *who; /* "token NAME (ID)", "uid 0", "lake" for what it does by itself */
	const char
		*action; /* "token.create", "forget", "backup"; a noun, and after a point a verb */
	const char *subject; /* what it was done to: an id, a name, a path */
	const char *from;    /* an address, "local" for a command on this host */
	const char *result;  /* "done", "refused: …", "failed: …" */
};

/* Appends an entry with the time of now. The file belongs to the owner of the folder, also where
 * root writes. -errno with words; what was to be recorded should then not be done. */
int audit_write(const char *data_folder, const struct audit_entry *entry, struct error *err);
/* The same where nothing can be done about a failure: it goes to the log. */
void audit_note(const char *data_folder, const struct audit_entry *entry);

/* An entry that was read; its texts are valid until visit returns ("" where not known). */
struct audit_record {
	int64_t at;
	const char *who, *action, *subject, *from, *result;
};

/* Calls visit for the newest entries, the newest first, at most limit, until it returns other than
 * 0, which is then returned. What is no entry (a torn last line) is passed over. -errno with words.
 */
int audit_read(const char *data_folder, size_t limit,
	       int (*visit)(const struct audit_record *record, void *context), void *context,
	       struct error *err);
