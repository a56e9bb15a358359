/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile configuration file. */
#include "fuzz.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/config/config.h"

struct settings {
	char *url, *name;
	bool verbose;
	uint64_t workers, memory, interval;
	double price;
};

static const struct config_option options[] = {
	{ "ship.lake-url", CONFIG_TEXT, offsetof(struct settings, url), "", 0, 0, "" },
	{ "name", CONFIG_TEXT, offsetof(struct settings, name), "", 0, 0, "" },
	{ "verbose", CONFIG_BOOL, offsetof(struct settings, verbose), "no", 0, 0, "" },
	{ "ship.workers", CONFIG_U64, offsetof(struct settings, workers), "2", 1, 64, "" },
	{ "memory", CONFIG_BYTES, offsetof(struct settings, memory), "1G", 0, 0, "" },
	{ "interval", CONFIG_DURATION, offsetof(struct settings, interval), "5s", 0, 0, "" },
	{ "price", CONFIG_DOUBLE, offsetof(struct settings, price), "0", 0, 100, "" },
};
#define COUNT (sizeof(options) / sizeof(*options))

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct settings settings;
	struct error err = { "" };
	int fd = memfd_create("config", MFD_CLOEXEC), r;
	char path[64];

	MUST(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	MUST(config_defaults(&settings, options, COUNT) == 0);
	r = config_file(&settings, options, COUNT, path, &err);
	MUST(r == 0 || r == -EINVAL || r == -EFBIG);
	/* One line that begins with the file, whatever the file holds. */
	MUST(r == 0 || !strncmp(err.text, path, strlen(path)));
	MUST(!strchr(err.text, '\n'));
	MUST(settings.workers >= 1 && settings.workers <= 64);
	MUST(settings.url && settings.name);
	config_clear(&settings, options, COUNT);
	close(fd);
	return 0;
}
