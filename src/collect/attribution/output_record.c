/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/output_record.h"

#include "base/cleanup.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLACK_NS (100 * NS_PER_MS) /* a file's time is that of a coarse clock, or a server's */

/* The folder or, of the last part, the file; no link is followed. */
static int open_below(int folder, const char *path)
{
	CLEANUP(closep) int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	char part[256];

	while (at >= 0 && *path) {
		size_t len = strcspn(path, "/");
		int next;

		if (len == 0 || len >= sizeof(part))
			return -EINVAL;
		memcpy(part, path, len);
		part[len] = '\0';
		path += len + (path[len] == '/');
		if (strcmp(part, "..") == 0)
			return -EINVAL;
		next = openat(at, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return -errno;
		close(at);
		at = next;
	}
	return at < 0 ? -errno : TAKE_FD(at);
}

static int check(const struct stat *facts, uid_t owner, int64_t since)
{
	int64_t written = facts->st_mtim.tv_sec * NS_PER_S + facts->st_mtim.tv_nsec;

	if (!S_ISREG(facts->st_mode))
		return -EINVAL;
	if (facts->st_uid != owner)
		return -EPERM;
	if (facts->st_size > OUTPUT_RECORD_BYTES)
		return -EFBIG;
	return written < since - SLACK_NS ? -ESTALE : 0;
}

bool output_record_parse(const char *text, size_t len, char rule[RULE_NAME_BYTES])
{
	json_t *record = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	const json_t *name = json_object_get(record, "rule");
	size_t size = json_string_length(name);
	bool is_name = json_is_string(name) && size > 0 && size < RULE_NAME_BYTES &&
		       strlen(json_string_value(name)) == size;

	if (is_name)
		memcpy(rule, json_string_value(name), size + 1);
	json_decref(record);
	return is_name;
}

int output_record_read(int folder, const char *path, uid_t owner, int64_t since,
		       char rule[RULE_NAME_BYTES])
{
	CLEANUP(closep) int place = open_below(folder, path), fd = -1;
	CLEANUP(freep) char *text = NULL;
	char link[64];
	struct stat facts;
	ssize_t len;
	int result;

	if (place < 0)
		return place;
	if (fstat(place, &facts) < 0)
		return -errno;
	result = check(&facts, owner, since);
	if (result < 0)
		return result;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	text = fd < 0 ? NULL : malloc((size_t)facts.st_size + 1);
	if (!text)
		return fd < 0 ? -errno : -ENOMEM;
	len = pread(fd, text, (size_t)facts.st_size, 0);
	if (len < 0)
		return -errno;
	return output_record_parse(text, (size_t)len, rule) ? 0 : -EINVAL;
}

struct question {
	uid_t owner;
	int64_t since;
	char path[FILE_HELPER_QUESTION - 64];
};

static int answer(const void *about, int folder, void *rule, size_t size, int *ret_fd)
{
	const struct question *question = about;

	return output_record_read(folder, question->path, question->owner, question->since, rule);
}

int output_record_ask(struct file_helper *helper, uint64_t place, int folder, const char *path,
		      uid_t owner, int64_t since, char rule[RULE_NAME_BYTES])
{
	struct question question = { .owner = owner, .since = since };
	struct file_helper_question asked = { .read = answer,
					      .about = &question,
					      .len = sizeof(question),
					      .folder = folder,
					      .place = place };

	if (strlen(path) >= sizeof(question.path))
		return -ENAMETOOLONG;
	memcpy(question.path, path, strlen(path));
	return file_helper_ask(helper, &asked, rule, RULE_NAME_BYTES, NULL);
}
