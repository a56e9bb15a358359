/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/admin/job.h"
#include "server/settings.h"

/* Runs a job on the files of a lake that does not run, in a child process that is the owner of the
 * data folder (root takes on that user). The report is printed; *ret_faulty: a check found faults.
 * -EIO: it failed, and the child said why on stderr; other errors with words. */
int offline_run(const struct settings *settings, const struct job *job, bool *ret_faulty,
		struct error *err);
/* The path of the database; the caller frees it. NULL: no memory. */
char *offline_database(const struct settings *settings);
/* Of the log of batches that are acknowledged and not in the database yet (batch_log.h). */
char *offline_log(const struct settings *settings);
/* Where a backup lies that a job made: a file in the database's work folder. */
char *offline_backup(const struct settings *settings);

/* Moves a file, also to another file system: it is copied and synced under another name first, so
 * that `to` is never a part of it. It gets mode 0600 and, for root, the owner of the folder.
 * -EEXIST: `to` is there, and is not replaced. Words. */
int offline_move(const char *from, const char *to, struct error *err);
/* The same, and leaves `from`. */
int offline_copy(const char *from, const char *to, struct error *err);
