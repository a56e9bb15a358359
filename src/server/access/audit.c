/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"

#define NAME      "audit.jsonl"
#define NAME_SIZE 24

static void name_of(unsigned number, char name[NAME_SIZE])
{
	if (number)
		snprintf(name, NAME_SIZE, NAME ".%u", number);
	else
		snprintf(name, NAME_SIZE, NAME);
}

static int open_folder(const char *path, int *ret, struct error *err)
{
	int rc;

	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret >= 0)
		return 0;
	rc = -errno;
	return error_set(err, rc, "cannot open the data folder %s: %s", path, strerror(-rc));
}

static void add_member(struct json *json, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(json, key);
	json_text_len(json, text, strnlen(text, AUDIT_TEXT_MAX));
}

static void write_line(const struct audit_entry *entry, struct buffer *out)
{
	char at[CLOCK_TEXT_SIZE];
	struct json json;

	buffer_append_char(out, '\n');
	json_init(&json, out, false);
	json_object_begin(&json);
	add_member(&json, "at", clock_format(clock_real_ns(), at));
	add_member(&json, "who", entry->who);
	add_member(&json, "action", entry->action);
	add_member(&json, "subject", entry->subject);
	add_member(&json, "from", entry->from);
	add_member(&json, "result", entry->result);
	json_object_end(&json);
	buffer_append_char(out, '\n');
}

/* Opens the file for appending, under a lock. Another process may have renamed it between the open
 * and the lock: then it is opened again. */
static int open_locked(int folder, int *ret, struct stat *status)
{
	for (;;) {
		CLEANUP(closep)
		int fd = openat(folder, NAME,
				O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
				0600);
		struct stat now;

		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX) < 0 || fstat(fd, status) < 0)
			return -errno;
		if (!S_ISREG(status->st_mode))
			return -EINVAL;
		if (fstatat(folder, NAME, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
		    now.st_ino == status->st_ino) {
			*ret = TAKE_FD(fd);
			return 0;
		}
	}
}

/* The lake must be able to append to what a command of root made. */
static int give_to_owner(int folder, int fd, const struct stat *status)
{
	struct stat owner;

	if (fstat(folder, &owner) < 0)
		return -errno;
	if (geteuid() != 0 || (owner.st_uid == status->st_uid && owner.st_gid == status->st_gid))
		return 0;
	return fchown(fd, owner.st_uid, owner.st_gid) < 0 ? -errno : 0;
}

/* Renames the full file and its older ones, by one number each. */
static int rotate(int folder)
{
	char from[NAME_SIZE], to[NAME_SIZE];

	for (unsigned number = AUDIT_FILES - 1; number > 0; number--) {
		name_of(number - 1, from);
		name_of(number, to);
		if (renameat(folder, from, folder, to) < 0 && errno != ENOENT)
			return -errno;
	}
	return 0;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t written = write(fd, bytes, len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		len -= (size_t)written;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

/* Whether a write was cut off (a full disk, a crash): the next entry begins a line of its own. */
static bool is_torn(int fd, const struct stat *status)
{
	char last;

	return status->st_size > 0 && pread(fd, &last, 1, status->st_size - 1) == 1 && last != '\n';
}

/* line: begins with a line end, which is left out where the file ends with one. */
static int append(int folder, const char *line, size_t len)
{
	CLEANUP(closep) int fd = -1;
	struct stat status = { 0 };
	int rc = open_locked(folder, &fd, &status);
	bool made, torn;

	if (rc == 0 && status.st_size + (off_t)len > (off_t)AUDIT_FILE_BYTES) {
		CLEANUP(closep) int full = TAKE_FD(fd); /* locked until the new one is */

		rc = rotate(folder);
		if (rc == 0)
			rc = open_locked(folder, &fd, &status);
	}
	if (rc)
		return rc;
	made = status.st_size == 0;
	torn = is_torn(fd, &status);
	rc = give_to_owner(folder, fd, &status);
	if (rc == 0)
		rc = write_all(fd, torn ? line : line + 1, torn ? len : len - 1);
	return rc == 0 && made && fsync(folder) < 0 ? -errno : rc;
}

int audit_write(const char *data_folder, const struct audit_entry *entry, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer line = { 0 };
	CLEANUP(closep) int folder = -1;
	int rc = open_folder(data_folder, &folder, err);

	if (rc)
		return rc;
	buffer_init(&line, 0);
	write_line(entry, &line);
	if (line.failed)
		return error_set(err, -ENOMEM, "no memory for an entry of the audit log");
	rc = append(folder, line.data, line.len);
	return rc ? error_set(err, rc, "cannot write %s/" NAME ": %s", data_folder, strerror(-rc))
		  : 0;
}

void audit_note(const char *data_folder, const struct audit_entry *entry)
{
	struct error err = { "" };

	if (audit_write(data_folder, entry, &err))
		log_error("%s", error_text(&err));
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* "2026-11-21T06:30:00.123456Z", as write_line wrote it; 0: it is none. */
static int64_t time_of(const char *text)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);

	if (!rest || *rest != '.')
		return 0;
	return timegm(&tm) * NS_PER_S + strtol(rest + 1, NULL, 10) * NS_PER_US;
}

static int visit_line(const char *line, size_t len, size_t *left,
		      int (*visit)(const struct audit_record *record, void *context), void *context)
{
	CLEANUP(json_decrefp) json_t *object = json_loadb(line, len, 0, NULL);
	struct audit_record record;

	if (!json_is_object(object))
		return 0;
	record = (struct audit_record){ .at = time_of(text_of(object, "at")),
					.who = text_of(object, "who"),
					.action = text_of(object, "action"),
					.subject = text_of(object, "subject"),
					.from = text_of(object, "from"),
					.result = text_of(object, "result") };
	--*left;
	return visit(&record, context);
}

/* The lines of a file, the last first. */
static int visit_file(const char *text, size_t len, size_t *left,
		      int (*visit)(const struct audit_record *record, void *context), void *context)
{
	int rc = 0;

	while (rc == 0 && *left && len) {
		size_t end = len, begin;

		if (text[end - 1] == '\n')
			end--;
		for (begin = end; begin && text[begin - 1] != '\n'; begin--)
			;
		rc = visit_line(text + begin, end - begin, left, visit, context);
		len = begin;
	}
	return rc;
}

int audit_read(const char *data_folder, size_t limit,
	       int (*visit)(const struct audit_record *record, void *context), void *context,
	       struct error *err)
{
	CLEANUP(closep) int folder = -1;
	int rc = open_folder(data_folder, &folder, err);

	for (unsigned number = 0; rc == 0 && limit && number < AUDIT_FILES; number++) {
		CLEANUP(freep) char *text = NULL;
		char name[NAME_SIZE];
		size_t len = 0;

		name_of(number, name);
		rc = file_read(folder, name, AUDIT_FILE_BYTES, &text, &len);
		if (rc == -ENOENT) {
			rc = 0;
			continue;
		}
		if (rc)
			return error_set(err, rc, "cannot read %s/%s: %s", data_folder, name,
					 strerror(-rc));
		rc = visit_file(text, len, &limit, visit, context);
	}
	return rc;
}
