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

struct root_image_store {
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

static void remove_file(const struct root_image_store *store, const struct key *key)
{
	char name[NAME_SIZE];

	name_of(key, name);
	unlinkat(store->folder, name, 0);
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

static int list(struct root_image_store *store)
{
	DIR *folder;
	int fd = fcntl(store->folder, F_DUPFD_CLOEXEC, 0);

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
		if (!read_name(entry->d_name, &key) || map_put(store->files, &key, &listed) < 0)
			unlinkat(store->folder, entry->d_name, 0);
	}
	closedir(folder);
	return 0;
}

int root_image_store_open(struct root_image_store **ret, const char *state_folder,
			  struct error *err)
{
	struct root_image_store *store = calloc(1, sizeof(*store));
	char path[4096];
	int result;

	if (!store)
		return error_set(err, -ENOMEM, "no memory for the runs that were begun");
	(void)snprintf(path, sizeof(path), "%s/begun", state_folder);
	store->folder = -1;
	store->files = map_new(sizeof(struct key), ROOT_IMAGE_STORE_LIMIT);
	result = store->files ? file_make_folder(path, 0700, NULL) : -ENOMEM;
	if (result == 0)
		store->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (result == 0)
		result = store->folder < 0 ? -errno : list(store);
	if (result < 0) {
		root_image_store_close(store);
		return error_set(err, result, "cannot use %s: %s", path, strerror(-result));
	}
	*ret = store;
	return 0;
}

void root_image_store_close(struct root_image_store *store)
{
	if (!store)
		return;
	closep(&store->folder);
	map_free(store->files);
	free(store);
}

size_t root_image_store_count(const struct root_image_store *store)
{
	return store ? map_count(store->files) : 0;
}

static void append_text(struct buffer *texts, const char *text)
{
	buffer_append(texts, text ? text : "", strlen(text ? text : "") + 1);
}

/* The arguments that fit into a file behind what is in texts; their number. */
static uint32_t append_arguments(struct buffer *texts, const struct tree_image *image)
{
	uint32_t count = 0;

	while (count < image->argc && texts->len + strlen(image->argv[count]) + 1 <=
					      ROOT_IMAGE_BYTES - sizeof(struct header)) {
		append_text(texts, image->argv[count]);
		count++;
	}
	return count;
}

/* A file that a crash leaves half written never has the name of a process. */
static int write_file(const struct root_image_store *store, const char *name,
		      const struct buffer *content)
{
	CLEANUP(closep) int fd = -1;
	ssize_t put;

	unlinkat(store->folder, TEMPORARY, 0);
	fd = openat(store->folder, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	put = write(fd, content->data, content->len);
	if (put != (ssize_t)content->len)
		return put < 0 ? -errno : -EIO;
	return renameat(store->folder, TEMPORARY, store->folder, name) < 0 ? -errno : 0;
}

int root_image_store_keep(struct root_image_store *store, const struct tree_image *image)
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

	buffer_init(&texts, ROOT_IMAGE_BYTES - sizeof(header));
	buffer_init(&content, ROOT_IMAGE_BYTES);
	if (!store)
		return 0;
	append_text(&texts, image->exe);
	append_text(&texts, image->cwd);
	header.argc = append_arguments(&texts, image);
	header.len = (uint32_t)texts.len;
	buffer_append(&content, &header, sizeof(header));
	buffer_append(&content, texts.data, texts.len);
	if (texts.failed || content.failed)
		return -E2BIG;
	result = map_put(store->files, &key, &alive);
	if (result < 0)
		return result;
	name_of(&key, name);
	result = write_file(store, name, &content);
	if (result < 0)
		map_remove(store->files, &key);
	return result;
}

bool root_image_store_has(const struct root_image_store *store, const struct probe_key *key)
{
	const struct key wanted = key_of(key);

	return store && map_get(store->files, &wanted);
}

/* The whole file into bytes (of ROOT_IMAGE_BYTES); its length, or -errno. No link is followed, and
 * nothing is waited for. */
static ssize_t read_whole(const struct root_image_store *store, const struct key *key, char *bytes)
{
	CLEANUP(closep) int fd = -1;
	char name[NAME_SIZE];
	struct stat info;

	name_of(key, name);
	fd = openat(store->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode) || info.st_size > ROOT_IMAGE_BYTES)
		return -EINVAL;
	return read(fd, bytes, ROOT_IMAGE_BYTES);
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

static int unpack(const struct key *key, const char *bytes, size_t len, struct stored_image *ret)
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

int root_image_store_get(struct root_image_store *store, const struct probe_key *key,
			 struct stored_image *ret)
{
	const struct key wanted = key_of(key);
	struct stored_image saved = { 0 };
	ssize_t len;

	if (!root_image_store_has(store, key))
		return -ENOENT;
	saved.bytes = calloc(1, ROOT_IMAGE_BYTES);
	if (!saved.bytes)
		return -ENOMEM;
	len = read_whole(store, &wanted, saved.bytes);
	if (len < 0 || unpack(&wanted, saved.bytes, (size_t)len, &saved) < 0) {
		stored_image_clear(&saved);
		root_image_store_forget(store, key);
		return -ENOENT;
	}
	map_put(store->files, &wanted, &alive);
	*ret = saved;
	return 0;
}

void stored_image_clear(struct stored_image *saved)
{
	free(saved->bytes);
	free(saved->argv);
	*saved = (struct stored_image){ 0 };
}

void root_image_store_forget(struct root_image_store *store, const struct probe_key *key)
{
	const struct key gone = key_of(key);

	if (store && map_remove(store->files, &gone))
		remove_file(store, &gone);
}

static bool drop_listed(const void *key, void *value, void *context)
{
	struct root_image_store *store = context;
	struct key gone;

	memcpy(&gone, key, sizeof(gone));
	if (value == &listed) {
		map_remove(store->files, &gone);
		remove_file(store, &gone);
	}
	return true;
}

void root_image_store_settle(struct root_image_store *store)
{
	if (store)
		map_visit(store->files, drop_listed, store);
}
