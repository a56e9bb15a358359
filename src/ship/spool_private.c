/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/spool_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define STATE_FILE "state"
#define MAGIC      "Tracer spool 1\n"

struct record {
	char magic[16];
	struct spool_state state;
	uint32_t crc;
};
_Static_assert(sizeof(struct record) <= 512, "one sector, so that it is written whole");

static uint32_t crc_of(const struct record *record)
{
	return (uint32_t)crc32_z(0, (const void *)record, offsetof(struct record, crc));
}

int spool_state_write(int fd, const struct spool_state *state)
{
	struct record record;
	memset(&record, 0, sizeof(record)); /* padding, too: it is part of the CRC */
	memcpy(record.magic, MAGIC, sizeof(MAGIC));
	memcpy(&record.state, state, sizeof(*state));
	record.crc = crc_of(&record);
	ssize_t put = pwrite(fd, &record, sizeof(record), 0);
	if (put < 0)
		return -errno;
	return put == sizeof(record) ? 0 : -ENOSPC;
}

static bool read_record(int fd, struct spool_state *ret)
{
	struct record record;
	if (pread(fd, &record, sizeof(record), 0) != sizeof(record) ||
	    memcmp(record.magic, MAGIC, sizeof(MAGIC)) != 0 || record.crc != crc_of(&record))
		return false;
	*ret = record.state;
	return memchr(ret->agent_id, '\0', ID_SIZE) && memchr(ret->boot_id, '\0', ID_SIZE);
}

int spool_state_open(int folder, struct spool_state *ret, struct error *err)
{
	int fd = openat(folder, STATE_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_set(err, -errno, "cannot open the spool's state: %s", strerror(errno));
	if (read_record(fd, ret)) {
		for (unsigned why = 0; why < SPOOL_WHY_COUNT; why++) {
			spool_account_add(&ret->losses[why], &ret->taken[why]);
			ret->taken[why] = (struct spool_account){ 0 };
		}
		return fd;
	}
	struct id id = id_random();
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->agent_id, id.text, ID_SIZE);
	int rc = spool_state_write(fd, ret);
	if (rc != 0) {
		close(fd);
		return error_set(err, rc, "cannot write the spool's state: %s", strerror(-rc));
	}
	return fd;
}

void spool_state_distrust(int folder)
{
	unlinkat(folder, STATE_FILE, 0);
}

void spool_account_add(struct spool_account *account, const struct spool_account *more)
{
	if (more->batches == 0)
		return;
	if (account->batches == 0 || more->since_at < account->since_at)
		account->since_at = more->since_at;
	if (account->batches == 0 || more->until_at > account->until_at)
		account->until_at = more->until_at;
	account->batches += more->batches;
	account->records += more->records;
}

const char *spool_why_text(enum spool_why why)
{
	static const char *const texts[SPOOL_WHY_COUNT] = {
		[SPOOL_FULL] = "spool full",        [SPOOL_DISK_FULL] = "disk full",
		[SPOOL_DAMAGED] = "spool damaged",  [SPOOL_DAMAGED_UNKNOWN] = "spool damaged",
		[SPOOL_REJECTED] = "lake rejected",
	};
	return texts[why];
}
