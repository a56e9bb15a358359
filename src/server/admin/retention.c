/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "lake/store/store.h"

#define PAUSE_US 20000 /* between two runs: batches are stored meanwhile */
/* What was concluded of a run is stored some time after it settled. */
#define YOUNG_NS     ((int64_t)3600 * NS_PER_S)
#define RUNS_AT_ONCE 1000

struct retention {
	struct store *store;
	const struct upkeep *upkeep;
	const char *archive_folder;
};

/* Removes rows of one kind of the oldest run that ended before. false: there is none, or it failed.
 */
static bool remove_one(const struct retention *retention, const char *kind, int64_t before)
{
	const struct upkeep_expire expire = { .kind = kind,
					      .before = before,
					      .archive_folder = retention->archive_folder };
	struct error err = { "" };
	bool more = false;

	if (upkeep_expire(retention->store, &expire, &more, &err))
		log_warning("%s", error_text(&err));
	return more;
}

/* true: more are left. */
static bool remove_old(const struct retention *retention, const char *kind, uint64_t age_ns)
{
	size_t runs = 0;

	while (age_ns && runs < RUNS_AT_ONCE &&
	       !retention->upkeep->stopped(retention->upkeep->context) &&
	       remove_one(retention, kind, clock_real_ns() - (int64_t)age_ns)) {
		runs++;
		usleep(PAUSE_US);
	}
	if (runs)
		log_info("removed the %s of %zu runs that ended more than %" PRIu64 " hours ago",
			 kind, runs, (uint64_t)(age_ns / (3600 * NS_PER_S)));
	return runs >= RUNS_AT_ONCE;
}

static uint64_t folder_bytes(const char *path)
{
	DIR *folder = opendir(path);
	uint64_t bytes = 0;
	struct stat info;

	if (!folder)
		return 0;
	for (const struct dirent *entry;
	     (entry = readdir(folder));) // NOLINT(concurrency-mt-unsafe)
		if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(info.st_mode))
			bytes += (uint64_t)info.st_size;
	closedir(folder);
	return bytes;
}

/* Bytes that the lake needs: of its database those that are in use, for the rest is used again. */
static uint64_t used_bytes(struct store *store, const struct settings *settings)
{
	struct error err = { "" };
	uint64_t bytes = 0;

	if (upkeep_used(store, &bytes, &err))
		log_warning("%s", error_text(&err));
	return bytes + settings->keep_batches;
}

/* The oldest go first, whatever their age: first samples, which take most, then the rest. */
static void remove_most(const struct retention *retention, const struct settings *settings)
{
	static const char *const KINDS[] = { "samples", "files", "processes" };
	int64_t before = clock_real_ns() - YOUNG_NS;
	size_t runs = 0;

	for (size_t i = 0; i < 3; i++) {
		while (runs < RUNS_AT_ONCE &&
		       !retention->upkeep->stopped(retention->upkeep->context) &&
		       used_bytes(retention->store, settings) > settings->keep_bytes &&
		       remove_one(retention, KINDS[i], before)) {
			runs++;
			usleep(PAUSE_US);
		}
	}
	if (runs)
		log_info("removed rows of %zu runs: the lake took more than keep-bytes", runs);
}

static struct retention retention_of(struct store *store, const struct settings *settings,
				     const struct upkeep *upkeep)
{
	return (struct retention){ .store = store,
				   .upkeep = upkeep,
				   .archive_folder = *settings->archive_folder
							     ? settings->archive_folder
							     : NULL };
}

bool retention_by_age(struct store *store, const struct settings *settings,
		      const struct upkeep *upkeep)
{
	const struct retention retention = retention_of(store, settings, upkeep);
	bool samples = remove_old(&retention, "samples", settings->keep_samples_ns);
	bool files = remove_old(&retention, "files", settings->keep_files_ns);

	return remove_old(&retention, "processes", settings->keep_processes_ns) || samples || files;
}

/* The file never shrinks by itself: while it is below the limit there is nothing to do. */
void retention_by_size(struct store *store, const struct settings *settings,
		       const struct upkeep *upkeep)
{
	const struct retention retention = retention_of(store, settings, upkeep);

	if (settings->keep_bytes && folder_bytes(settings->data_folder) > settings->keep_bytes)
		remove_most(&retention, settings);
}
