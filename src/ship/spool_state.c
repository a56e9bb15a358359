/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/spool_state.h"

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
_Static_assert(sizeof(struct record) <= 512, "one sector, so that a write is all or nothing");

static uint32_t crc_of(const struct record *record)
{
	return (uint32_t)crc32_z(0, (const void *)record, offsetof(struct record, crc));
}

int spool_state_write(int fd, const struct spool_state *state)
{
	struct record record;
	memset(&record, 0, sizeof(record)); /* padding is part of the CRC */
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
			spool_loss_add(&ret->losses[why], &ret->taken[why]);
			ret->taken[why] = (struct spool_loss_sum){ 0 };
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

void spool_state_remove(int folder)
{
	unlinkat(folder, STATE_FILE, 0);
}

void spool_loss_add(struct spool_loss_sum *sum, const struct spool_loss_sum *more)
{
	if (more->batches == 0)
		return;
	if (sum->batches == 0 || more->since_at < sum->since_at)
		sum->since_at = more->since_at;
	if (sum->batches == 0 || more->until_at > sum->until_at)
		sum->until_at = more->until_at;
	sum->batches += more->batches;
	sum->records += more->records;
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
