/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/host_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

#define HOST_NAME_LIMIT   253
#define HOST_NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
#define MACHINE_ID_LEN    32
#define ID_SALT           "tracer host "

/* The first line of a small file, or NULL. */
static char *first_line(const char *root, const char *path)
{
	char name[4096];
	char *text = NULL;
	size_t len;

	(void)snprintf(name, sizeof(name), "%s%s", root, path);
	if (file_read(AT_FDCWD, name, 64u << 10, &text, &len) < 0)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static int own_machine_id(const char *state_folder, char **ret, struct error *err)
{
	CLEANUP(freep) char *kept = first_line(state_folder, "/machine-id");
	struct id id = id_random();
	char path[4096];

	if (kept && *kept) {
		*ret = TAKE_PTR(kept);
		return 0;
	}
	(void)snprintf(path, sizeof(path), "%s/machine-id", state_folder);
	*ret = strdup(id.text);
	if (!*ret)
		return error_set(err, -ENOMEM, "no memory for the machine id");
	return file_write(path, id.text, strlen(id.text), 0600, err);
}

/* What the host id stands for. */
static int read_machine_id(const char *root, const char *state_folder, const char *boot_id,
			   char **ret, struct error *err)
{
	*ret = first_line(root, "/etc/machine-id");
	if (*ret && strlen(*ret) == MACHINE_ID_LEN)
		return 0;
	/* It is "uninitialized" in the first boot of an image. */
	free(*ret);
	*ret = NULL;
	if (state_folder)
		return own_machine_id(state_folder, ret, err);
	*ret = strdup(boot_id);
	return *ret ? 0 : error_set(err, -ENOMEM, "no memory for the machine id");
}

static int read_ids(struct host_facts *facts, const char *root, const char *state_folder,
		    struct error *err)
{
	char *boot = first_line(root, "/proc/sys/kernel/random/boot_id"), *machine = NULL;
	bool known = boot && strlen(boot) == ID_SIZE - 1;
	char salted[sizeof(ID_SALT) + 128];
	int result;

	(void)snprintf(facts->boot_id.text, ID_SIZE, "%s", known ? boot : "");
	free(boot);
	if (!known)
		return error_set(err, -ENOENT,
				 "cannot read /proc/sys/kernel/random/boot_id: is /proc mounted?");
	result = read_machine_id(root, state_folder, facts->boot_id.text, &machine, err);
	if (result == 0) {
		(void)snprintf(salted, sizeof(salted), ID_SALT "%.120s", machine);
		facts->host_id = id_of(salted, strlen(salted));
	}
	free(machine);
	return result;
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" of os-release(5). */
static char *os_name(const char *root)
{
	char path[4096], *rest, *line;
	CLEANUP(freep) char *text = NULL;
	size_t len;

	(void)snprintf(path, sizeof(path), "%s/etc/os-release", root);
	if (file_read(AT_FDCWD, path, 64u << 10, &text, &len) < 0)
		return strdup("");
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, "PRETTY_NAME=", 12) != 0)
			continue;
		line += 12 + (line[12] == '"');
		line[strcspn(line, "\"")] = '\0';
		return strdup(line);
	}
	return strdup("");
}

int host_facts_rename(struct host_facts *facts, const char *name, struct error *err)
{
	char named[ID_SIZE + HOST_NAME_LIMIT + 1];
	char *copy;

	if (strlen(name) > HOST_NAME_LIMIT || name[strspn(name, HOST_NAME_LETTERS)])
		return error_set(err, -EINVAL,
				 "host must be a name of at most %d letters, digits, '.', '-' or "
				 "'_', not '%s'",
				 HOST_NAME_LIMIT, name);
	copy = strdup(name);
	if (!copy)
		return error_set(err, -ENOMEM, "no memory for this host's name");
	free(facts->hostname);
	facts->hostname = copy;
	(void)snprintf(named, sizeof(named), "%s %s", facts->host_id.text, name);
	facts->host_id = id_of(named, strlen(named));
	return 0;
}

int host_facts_read(struct host_facts *ret, const char *root, const char *state_folder,
		    struct error *err)
{
	struct host_facts facts = { 0 };
	struct utsname names;
	struct sysinfo info;
	int result = read_ids(&facts, root, state_folder, err);

	if (result < 0)
		return result;
	if (uname(&names) < 0 || sysinfo(&info) < 0)
		return error_set(err, -errno, "cannot read this host's name and memory");
	facts.hostname = strdup(names.nodename);
	facts.kernel = strdup(names.release);
	facts.arch = strdup(names.machine);
	facts.os = os_name(root);
	facts.cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	facts.memory_bytes = (uint64_t)info.totalram * info.mem_unit;
	facts.booted_at = clock_boot_offset_ns();
	if (!facts.hostname || !facts.kernel || !facts.arch || !facts.os) {
		host_facts_clear(&facts);
		return error_set(err, -ENOMEM, "no memory for this host's facts");
	}
	*ret = facts;
	return 0;
}

void host_facts_clear(struct host_facts *facts)
{
	free(facts->hostname);
	free(facts->kernel);
	free(facts->arch);
	free(facts->os);
	*facts = (struct host_facts){ 0 };
}

void host_facts_message(const struct host_facts *facts, Signal__Host *ret)
{
	signal__host__init(ret);
	ret->hostname = facts->hostname;
	ret->kernel = facts->kernel;
	ret->arch = facts->arch;
	ret->os = facts->os;
	ret->cpus = facts->cpus;
	ret->memory_bytes = facts->memory_bytes;
	ret->booted_at = facts->booted_at;
}
