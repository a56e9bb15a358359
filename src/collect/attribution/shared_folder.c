/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/shared_folder.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* File systems with a source that names the same thing on every host. (Of 9p, virtiofs, BeeGFS it
 * is a name that each host gives.) */
static const struct {
	const char *type, *kind;
} shared[] = {
	{ "nfs", "nfs" },        { "nfs4", "nfs" },
	{ "lustre", "lustre" },  { "ceph", "ceph" },
	{ "gpfs", "gpfs" },      { "cifs", "smb" },
	{ "smb3", "smb" },       { "glusterfs", "gluster" },
	{ "pvfs2", "pvfs2" },    { "fuse.glusterfs", "gluster" },
	{ "afs", "afs" },        { "fuse.sshfs", "sshfs" },
	{ "fuse.s3fs", "s3fs" },
};

static const char *kind_of(const char *type)
{
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (strcmp(shared[i].type, type) == 0)
			return shared[i].kind;
	return NULL;
}

/* One line of mountinfo (proc(5)): "36 35 98:0 /root /mnt rw … - ext4 /dev/sda1 rw". */
struct mount {
	const char *device, *root, *point, *type, *source;
};

/* "\040" is a blank. In place. */
static void unescape(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		if (in[0] == '\\' && in[1] >= '0' && in[1] <= '3' && in[2] >= '0' && in[2] <= '7' &&
		    in[3] >= '0' && in[3] <= '7') {
			*out++ = (char)((in[1] - '0') * 64 + (in[2] - '0') * 8 + in[3] - '0');
			in += 3;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
}

static char *next_word(char **at)
{
	char *word = strsep(at, " ");

	if (word)
		unescape(word);
	return word;
}

static bool read_mount(char *line, struct mount *ret)
{
	char *at = line, *word;

	(void)next_word(&at);
	(void)next_word(&at);
	ret->device = next_word(&at);
	ret->root = next_word(&at);
	ret->point = next_word(&at);
	while ((word = next_word(&at)) && strcmp(word, "-") != 0)
		;
	ret->type = next_word(&at);
	ret->source = next_word(&at);
	return ret->source;
}

/* What of a path is below a folder, with its '/'; NULL: it is not. */
static const char *below(const char *path, const char *folder)
{
	size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);

	if (strncmp(path, folder, len) != 0 || (path[len] && path[len] != '/'))
		return NULL;
	return path + len;
}

/* "" for "/", so that what follows begins with one '/'. */
static const char *without_slash(const char *folder)
{
	return strcmp(folder, "/") == 0 ? "" : folder;
}

static bool say(const struct mount *mount, const char *rest, const char *boot_id,
		char ret[SHARED_FOLDER_SIZE])
{
	const char *kind = kind_of(mount->type), *root = without_slash(mount->root);
	size_t source = strlen(mount->source);
	int len;

	if (source > 1 && mount->source[source - 1] == '/')
		source--;
	if (kind)
		len = snprintf(ret, SHARED_FOLDER_SIZE, "%s %.*s%s%s", kind, (int)source,
			       mount->source, root, rest);
	else
		len = snprintf(ret, SHARED_FOLDER_SIZE, "boot %s %s %s%s", boot_id, mount->device,
			       root, rest);
	if (len > 0 && len < SHARED_FOLDER_SIZE && ret[len - 1] == '/')
		ret[len - 1] = '\0';
	return len > 0 && len < SHARED_FOLDER_SIZE;
}

bool shared_folder(char *mountinfo, const char *path, const char *boot_id,
		   char ret[SHARED_FOLDER_SIZE])
{
	struct mount best = { 0 };
	const char *rest = NULL;
	char *line;

	if (*path != '/')
		return false;
	while ((line = strsep(&mountinfo, "\n"))) {
		struct mount mount;
		const char *behind;

		if (!read_mount(line, &mount))
			continue;
		behind = below(path, mount.point);
		/* Of two at one place the later one covers the other. */
		if (!behind || (rest && behind < rest))
			continue;
		best = mount;
		rest = behind;
	}
	return rest && say(&best, rest, boot_id, ret);
}
