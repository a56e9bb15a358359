/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/body/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

DEFINE_CLEANUP(struct upload *, upload_free)

void upload_free(struct upload *upload)
{
	if (!upload)
		return;
	if (upload->fd >= 0) {
		close(upload->fd);
		unlink(upload->path);
	}
	EVP_MD_CTX_free(upload->context);
	free(upload->path);
	free(upload);
}

void upload_clean(const char *data_folder)
{
	CLEANUP(freep) char *folder = NULL;

	if (asprintf(&folder, "%s/" UPLOAD_FOLDER, data_folder) < 0)
		return;
	file_remove_tree(folder);
}

static int check_size(uint64_t bytes, uint64_t limit, struct error *err)
{
	return bytes <= limit
		       ? 0
		       : error_set(err, -EMSGSIZE, "a file here may have %llu MiB (bill-limit)",
				   (unsigned long long)limit >> 20);
}

static int check_room(const char *folder, uint64_t bytes, struct error *err)
{
	struct statvfs room;
	uint64_t free_bytes;

	if (statvfs(folder, &room) < 0)
		return error_set(err, -errno, "cannot look at %s: %s", folder, strerror(errno));
	free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
	if (bytes < free_bytes)
		return 0;
	return error_set(err, -ENOSPC,
			 "the file has %llu MiB, and the lake's disk has %llu MiB free: make room, "
			 "or move the data folder",
			 (unsigned long long)bytes >> 20, (unsigned long long)free_bytes >> 20);
}

static int open_file(struct upload *upload, const char *folder, struct error *err)
{
	if (asprintf(&upload->path, "%s/bill.XXXXXX", folder) < 0) {
		upload->path = NULL;
		return error_set(err, -ENOMEM, "no memory for a file");
	}
	upload->fd = mkostemp(upload->path, O_CLOEXEC);
	return upload->fd < 0
		       ? error_set(err, -errno, "cannot write into %s: %s", folder, strerror(errno))
		       : 0;
}

int upload_begin(struct upload **ret, const char *data_folder, uint64_t limit, uint64_t announced,
		 struct error *err)
{
	CLEANUP(upload_freep) struct upload *upload = calloc(1, sizeof(*upload));
	CLEANUP(freep) char *folder = NULL;
	int rc;

	if (!upload || asprintf(&folder, "%s/" UPLOAD_FOLDER, data_folder) < 0) {
		if (upload)
			upload->fd = -1;
		folder = NULL;
		return error_set(err, -ENOMEM, "no memory for a file");
	}
	upload->fd = -1;
	upload->limit = limit;
	upload->context = EVP_MD_CTX_new();
	if (!upload->context || EVP_DigestInit_ex(upload->context, EVP_sha256(), NULL) != 1)
		return error_set(err, -ENOMEM, "no memory for a file");
	rc = check_size(announced, limit, err);
	if (!rc)
		rc = file_make_folder(folder, 0700, err);
	if (!rc)
		rc = check_room(folder, announced, err);
	if (!rc)
		rc = open_file(upload, folder, err);
	if (!rc)
		*ret = TAKE_PTR(upload);
	return rc;
}

int upload_write(struct upload *upload, const void *bytes, size_t len, struct error *err)
{
	int rc = check_size(upload->bytes + len, upload->limit, err);
	const char *at = bytes;

	if (rc)
		return rc;
	EVP_DigestUpdate(upload->context, bytes, len);
	upload->bytes += len;
	while (len) {
		ssize_t written = write(upload->fd, at, len);

		if (written < 0 && errno != EINTR)
			return error_set(err, -errno, "the file cannot be written: %s",
					 strerror(errno));
		if (written > 0) {
			at += written;
			len -= (size_t)written;
		}
	}
	return 0;
}

int upload_end(struct upload *upload, struct error *err)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	if (!upload->bytes)
		return error_set(err, -EINVAL, "the request has no body: send the file");
	EVP_DigestFinal_ex(upload->context, digest, &len);
	for (unsigned i = 0; i < len && 2 * i + 2 < UPLOAD_HASH_SIZE; i++)
		snprintf(upload->hash + 2 * (size_t)i, 3, "%02x", digest[i]);
	return 0;
}
