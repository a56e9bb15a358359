/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/root_image_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/map.h"

#define MAGIC     0x326e7562 /* the layout below; another one is another number */
#define NAME_SIZE 40
#define TEMPORARY "new"

struct key { /* no padding: a map's key */
	uint64_t pid, start_ns;
};

/* The beginning of a file; then exe, cwd and the arguments, each with its NUL. */
struct header {
	uint32_t magic, pid, ppid, uid;
	uint64_t start_ns, image_seq;
	int64_t started_at;
	uint32_t argc, len; /* of the texts */
	uint32_t root_kind, unused;
};

struct begun {
	int folder;
	struct map *files; /* key → &listed or &alive */
};

static char listed, alive;

static struct key key_of(const struct probe_key *key)
{
	return (struct key){ .pid = key->pid, .start_ns = key->start_ns };
}

static void name_of(const struct key *key, char text[NAME_SIZE])
{
	(void)snprintf(text, NAME_SIZE, "%" PRIu64 "-%" PRIu64, key->pid, key->start_ns);
}

static void remove_file(const struct begun *begun, const struct key *key)
{
	char name[NAME_SIZE];

	name_of(key, name);
	unlinkat(begun->folder, name, 0);
}

/* Whether name is one that name_of gives. */
static bool read_name(const char *name, struct key *ret)
{
	char again[NAME_SIZE], *end;

	ret->pid = strtoull(name, &end, 10);
	ret->start_ns = *end == '-' ? strtoull(end + 1, NULL, 10) : 0;
	name_of(ret, again);
	return ret->pid <= UINT32_MAX && strcmp(name, again) == 0;
}

static int list(struct begun *begun)
{
	DIR *folder;
	int fd = fcntl(begun->folder, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	folder = fdopendir(fd);
	if (!folder) {
		close(fd);
		return -ENOMEM;
	}
	for (const struct dirent *entry; (entry = readdir(folder));) {
		struct key key;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (!read_name(entry->d_name, &key) || map_put(begun->files, &key, &listed) < 0)
			unlinkat(begun->folder, entry->d_name, 0);
	}
	closedir(folder);
	return 0;
}

int begun_open(struct begun **ret, const char *state_folder, struct error *err)
{
	struct begun *begun = calloc(1, sizeof(*begun));
	char path[4096];
	int result;

	if (!begun)
		return error_set(err, -ENOMEM, "no memory for the runs that were begun");
	(void)snprintf(path, sizeof(path), "%s/begun", state_folder);
	begun->folder = -1;
	begun->files = map_new(sizeof(struct key), BEGUN_LIMIT);
	result = begun->files ? file_make_folder(path, 0700, NULL) : -ENOMEM;
	if (result == 0)
		begun->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (result == 0)
		result = begun->folder < 0 ? -errno : list(begun);
	if (result < 0) {
		begun_close(begun);
		return error_set(err, result, "cannot use %s: %s", path, strerror(-result));
	}
	*ret = begun;
	return 0;
}

void begun_close(struct begun *begun)
{
	if (!begun)
		return;
	closep(&begun->folder);
	map_free(begun->files);
	free(begun);
}

size_t begun_count(const struct begun *begun)
{
	return begun ? map_count(begun->files) : 0;
}

static void append_text(struct buffer *texts, const char *text)
{
	buffer_append(texts, text ? text : "", strlen(text ? text : "") + 1);
}

/* The arguments that fit into a file behind what is in texts; their number. */
static uint32_t append_arguments(struct buffer *texts, const struct tree_image *image)
{
	uint32_t count = 0;

	while (count < image->argc &&
	       texts->len + strlen(image->argv[count]) + 1 <= BEGUN_BYTES - sizeof(struct header)) {
		append_text(texts, image->argv[count]);
		count++;
	}
	return count;
}

/* A file that a crash leaves half written never has the name of a process. */
static int write_file(const struct begun *begun, const char *name, const struct buffer *content)
{
	CLEANUP(closep) int fd = -1;
	ssize_t put;

	unlinkat(begun->folder, TEMPORARY, 0);
	fd = openat(begun->folder, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	put = write(fd, content->data, content->len);
	if (put != (ssize_t)content->len)
		return put < 0 ? -errno : -EIO;
	return renameat(begun->folder, TEMPORARY, begun->folder, name) < 0 ? -errno : 0;
}

int begun_keep(struct begun *begun, const struct tree_image *image)
{
	CLEANUP(buffer_clear) struct buffer texts, content;
	const struct key key = { .pid = image->pid, .start_ns = image->start_ns };
	struct header header = { .magic = MAGIC,
				 .pid = image->pid,
				 .ppid = image->ppid,
				 .uid = image->uid,
				 .start_ns = image->start_ns,
				 .image_seq = image->image_seq,
				 .started_at = image->started_at,
				 .root_kind = image->root_kind };
	char name[NAME_SIZE];
	int result;

	buffer_init(&texts, BEGUN_BYTES - sizeof(header));
	buffer_init(&content, BEGUN_BYTES);
	if (!begun)
		return 0;
	append_text(&texts, image->exe);
	append_text(&texts, image->cwd);
	header.argc = append_arguments(&texts, image);
	header.len = (uint32_t)texts.len;
	buffer_append(&content, &header, sizeof(header));
	buffer_append(&content, texts.data, texts.len);
	if (texts.failed || content.failed)
		return -E2BIG;
	result = map_put(begun->files, &key, &alive);
	if (result < 0)
		return result;
	name_of(&key, name);
	result = write_file(begun, name, &content);
	if (result < 0)
		map_remove(begun->files, &key);
	return result;
}

bool begun_has(const struct begun *begun, const struct probe_key *key)
{
	const struct key wanted = key_of(key);

	return begun && map_get(begun->files, &wanted);
}

/* The whole file into bytes (of BEGUN_BYTES); its length, or -errno. No link is followed, and
 * nothing is waited for. */
static ssize_t read_whole(const struct begun *begun, const struct key *key, char *bytes)
{
	CLEANUP(closep) int fd = -1;
	char name[NAME_SIZE];
	struct stat info;

	name_of(key, name);
	fd = openat(begun->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode) || info.st_size > BEGUN_BYTES)
		return -EINVAL;
	return read(fd, bytes, BEGUN_BYTES);
}

static bool is_sound(const struct header *header, const struct key *key, const char *texts,
		     size_t len)
{
	size_t count = 0;

	if (header->magic != MAGIC || header->pid != key->pid || header->start_ns != key->start_ns)
		return false;
	if (header->len != len || len == 0 || texts[len - 1] != '\0' ||
	    header->root_kind > RUN_ROOT_JOB)
		return false;
	for (size_t i = 0; i < len; i++)
		count += texts[i] == '\0';
	return count == (size_t)header->argc + 2;
}

static int unpack(const struct key *key, const char *bytes, size_t len, struct begun_image *ret)
{
	struct header header;
	const char *texts = bytes + sizeof(header);

	if (len < sizeof(header))
		return -EINVAL;
	memcpy(&header, bytes, sizeof(header));
	if (!is_sound(&header, key, texts, len - sizeof(header)))
		return -EINVAL;
	ret->argv = calloc((size_t)header.argc + 1, sizeof(*ret->argv));
	if (!ret->argv)
		return -ENOMEM;
	ret->image = (struct tree_image){ .pid = header.pid,
					  .ppid = header.ppid,
					  .start_ns = header.start_ns,
					  .image_seq = header.image_seq,
					  .uid = header.uid,
					  .started_at = header.started_at,
					  .root_kind = (enum run_root_kind)header.root_kind,
					  .exe = texts,
					  .cwd = texts + strlen(texts) + 1,
					  .user = "",
					  .argv = ret->argv,
					  .masked = ret->argv, /* as they were kept */
					  .argc = header.argc };
	texts = ret->image.cwd;
	for (uint32_t i = 0; i < header.argc; i++)
		ret->argv[i] = texts += strlen(texts) + 1;
	return 0;
}

int begun_get(struct begun *begun, const struct probe_key *key, struct begun_image *ret)
{
	const struct key wanted = key_of(key);
	struct begun_image saved = { 0 };
	ssize_t len;

	if (!begun_has(begun, key))
		return -ENOENT;
	saved.bytes = calloc(1, BEGUN_BYTES);
	if (!saved.bytes)
		return -ENOMEM;
	len = read_whole(begun, &wanted, saved.bytes);
	if (len < 0 || unpack(&wanted, saved.bytes, (size_t)len, &saved) < 0) {
		begun_image_clear(&saved);
		begun_forget(begun, key);
		return -ENOENT;
	}
	map_put(begun->files, &wanted, &alive);
	*ret = saved;
	return 0;
}

void begun_image_clear(struct begun_image *saved)
{
	free(saved->bytes);
	free(saved->argv);
	*saved = (struct begun_image){ 0 };
}

void begun_forget(struct begun *begun, const struct probe_key *key)
{
	const struct key gone = key_of(key);

	if (begun && map_remove(begun->files, &gone))
		remove_file(begun, &gone);
}

static bool drop_listed(const void *key, void *value, void *context)
{
	struct begun *begun = context;
	struct key gone;

	memcpy(&gone, key, sizeof(gone));
	if (value == &listed) {
		map_remove(begun->files, &gone);
		remove_file(begun, &gone);
	}
	return true;
}

void begun_settle(struct begun *begun)
{
	if (begun)
		map_visit(begun->files, drop_listed, begun);
}
