/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/token_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"

#define RECORDS     "records"
#define LOCK        ".lock"
#define FILE_SIZE   (64u << 10)
#define NAME_SIZE   (TOKEN_ID_SIZE + 8)
#define TEMPORARY   ".new"
#define SAFE_OPEN   (O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
#define ID_ALPHABET "0123456789abcdef"

static void closedirp(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

static int failed(const char *folder, const char *what, int rc, struct error *err)
{
	return error_set(err, rc, "cannot %s the tokens in %s/" RECORDS ": %s", what, folder,
			 strerror(-rc));
}

/* What root makes is given to the owner of the tokens folder. */
static int give_to_owner(const char *tokens_folder, int fd)
{
	struct stat owner;

	if (geteuid() != 0)
		return 0;
	if (stat(tokens_folder, &owner) < 0 || fchown(fd, owner.st_uid, owner.st_gid) < 0)
		return -errno;
	return 0;
}

static int open_folder(const char *tokens_folder, bool make, int *ret)
{
	CLEANUP(closep) int parent = open(tokens_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closep) int fd = -1;
	bool made;
	int rc;

	if (parent < 0)
		return -errno;
	made = make && mkdirat(parent, RECORDS, 0700) == 0;
	fd = openat(parent, RECORDS, O_RDONLY | O_DIRECTORY | SAFE_OPEN);
	if (fd < 0)
		return -errno;
	rc = made ? give_to_owner(tokens_folder, fd) : 0;
	if (rc == 0)
		*ret = TAKE_FD(fd);
	return rc;
}

/* Held until the descriptor is closed. */
static int lock_folder(const char *tokens_folder, int folder, int *ret)
{
	CLEANUP(closep) int fd = openat(folder, LOCK, O_RDWR | O_CREAT | SAFE_OPEN, 0600);
	int rc;

	if (fd < 0)
		return -errno;
	rc = give_to_owner(tokens_folder, fd);
	if (rc == 0 && flock(fd, LOCK_EX) < 0)
		rc = -errno;
	if (rc == 0)
		*ret = TAKE_FD(fd);
	return rc;
}

/* Only what this program writes is a name: no path, no hidden file. */
static bool is_id(const char *id)
{
	return strlen(id) == TOKEN_ID_SIZE - 1 && strspn(id, ID_ALPHABET) == TOKEN_ID_SIZE - 1;
}

static bool id_of_name(const char *name, char id[TOKEN_ID_SIZE])
{
	size_t len = TOKEN_ID_SIZE - 1;

	if (strlen(name) != len + strlen(".json") || strcmp(name + len, ".json") != 0)
		return false;
	snprintf(id, TOKEN_ID_SIZE, "%.*s", TOKEN_ID_SIZE - 1, name);
	return is_id(id);
}

/* A file that others could have written is no token. */
static int check_file(int folder, const char *name)
{
	struct stat status;
	bool owned;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	owned = geteuid() == 0 || status.st_uid == geteuid() || status.st_uid == 0;
	return owned && !(status.st_mode & 022) ? 0 : -EPERM;
}

static int read_file(int folder, const char *id, struct token_record *ret, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	char name[NAME_SIZE];
	size_t len;
	int rc;

	memset(ret, 0, sizeof(*ret));
	snprintf(name, sizeof(name), "%s.json", id);
	rc = check_file(folder, name);
	if (rc == -EPERM)
		return error_set(err, rc,
				 "others may write it: chown it to the lake's account "
				 "and chmod 600 it");
	if (rc == 0)
		rc = file_read(folder, name, FILE_SIZE, &text, &len);
	if (rc)
		return error_set(err, rc, "%s", strerror(-rc));
	rc = token_record_read(text, len, ret, err);
	if (rc == 0 && strcmp(ret->id, id) != 0)
		rc = error_set(err, -EBADMSG, "it is the file of another token");
	if (rc)
		token_record_clear(ret);
	return rc;
}

static int write_bytes(int fd, const struct buffer *text)
{
	for (size_t sent = 0; sent < text->len;) {
		ssize_t written = write(fd, text->data + sent, text->len - sent);

		if (written < 0 && errno != EINTR)
			return -errno;
		sent += written > 0 ? (size_t)written : 0;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

/* Under the lock. */
static int write_file(const char *tokens_folder, int folder, const struct token_record *record)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	CLEANUP(closep) int fd = -1;
	char name[NAME_SIZE];
	int rc;

	buffer_init(&text, 0);
	token_record_write(record, &text);
	buffer_append_char(&text, '\n');
	if (text.failed)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%s.json", record->id);
	(void)unlinkat(folder, TEMPORARY, 0);
	fd = openat(folder, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | SAFE_OPEN, 0600);
	if (fd < 0)
		return -errno;
	rc = give_to_owner(tokens_folder, fd);
	if (rc == 0)
		rc = write_bytes(fd, &text);
	if (rc == 0 && renameat(folder, TEMPORARY, folder, name) < 0)
		rc = -errno;
	return rc == 0 && fsync(folder) < 0 ? -errno : rc;
}

static int visit_file(int folder, const char *name, bool quiet,
		      int (*visit)(struct token_record *record, void *context), void *context)
{
	CLEANUP(token_record_clear) struct token_record record = { 0 };
	struct error why = { "" };
	char id[TOKEN_ID_SIZE];

	if (!id_of_name(name, id))
		return 0;
	if (read_file(folder, id, &record, &why) == 0)
		return visit(&record, context);
	if (!quiet)
		log_warning("the token in " RECORDS "/%s is not used: %s", name, error_text(&why));
	return 0;
}

int token_files_visit(const char *tokens_folder, bool quiet,
		      int (*visit)(struct token_record *record, void *context), void *context,
		      struct error *err)
{
	CLEANUP(closedirp) DIR *entries = NULL;
	CLEANUP(closep) int folder = -1;
	size_t count = 0;
	int rc = open_folder(tokens_folder, false, &folder), copy;

	if (rc == -ENOENT)
		return 0;
	copy = rc ? -1 : fcntl(folder, F_DUPFD_CLOEXEC, 0);
	entries = copy < 0 ? NULL : fdopendir(copy);
	if (!entries)
		return failed(tokens_folder, "read", rc ? rc : -errno, err);
	rc = 0;
	for (struct dirent *entry; rc == 0 && (entry = readdir(entries));)
		if (count++ < TOKEN_FILES_MAX)
			rc = visit_file(folder, entry->d_name, quiet, visit, context);
	return rc;
}

int token_files_add(const char *tokens_folder, const struct token_record *record, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int lock = -1;
	char name[NAME_SIZE];
	int rc = open_folder(tokens_folder, true, &folder);

	if (rc == 0)
		rc = lock_folder(tokens_folder, folder, &lock);
	snprintf(name, sizeof(name), "%s.json", record->id);
	if (rc == 0 && faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		rc = -EEXIST;
	if (rc == 0)
		rc = write_file(tokens_folder, folder, record);
	return rc ? failed(tokens_folder, "write", rc, err) : 0;
}

int token_files_change(const char *tokens_folder, const char *id,
		       int (*change)(struct token_record *record, void *context), void *context,
		       struct token_record *ret, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int lock = -1;
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (!is_id(id))
		return error_set(err, -ENOENT,
				 "no token has the id \"%s\": `tracer-lake token list` shows them",
				 id);
	rc = open_folder(tokens_folder, false, &folder);
	if (rc == 0)
		rc = lock_folder(tokens_folder, folder, &lock);
	if (rc == 0)
		rc = read_file(folder, id, ret, err);
	if (rc == -ENOENT)
		return error_set(err, rc,
				 "no token has the id \"%s\": `tracer-lake token list` shows them",
				 id);
	if (rc)
		return failed(tokens_folder, "change", rc, err);
	rc = change(ret, context);
	if (rc == TOKEN_UNCHANGED)
		return 0;
	if (rc < 0)
		return rc;
	rc = write_file(tokens_folder, folder, ret);
	return rc ? failed(tokens_folder, "write", rc, err) : 0;
}

int64_t token_files_stamp(const char *tokens_folder)
{
	CLEANUP(closep) int folder = -1;
	struct stat status;

	if (open_folder(tokens_folder, false, &folder) || fstat(folder, &status) < 0)
		return 0;
	return status.st_mtim.tv_sec * NS_PER_S + status.st_mtim.tv_nsec;
}
