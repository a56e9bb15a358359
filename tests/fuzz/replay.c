/* Feeds each file of a corpus to a fuzz target, whole and, if it is small, cut at every byte: what
 * libFuzzer once found stays found in builds without it. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 20)
#define CUT_LIMIT  512

/* In memory of exactly that size, so that the address sanitizer sees a read beyond its end. */
static void feed(const char *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	MUST(copy);
	memcpy(copy, bytes, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void replay(const char *path)
{
	static char bytes[FILE_LIMIT];
	FILE *file = fopen(path, "re");
	size_t len;

	MUST(file);
	len = fread(bytes, 1, sizeof(bytes), file);
	MUST(!ferror(file) && feof(file));
	fclose(file);
	feed(bytes, len);
	for (size_t cut = 0; len <= CUT_LIMIT && cut < len; cut++)
		feed(bytes, cut);
}

static size_t replay_folder(const char *folder)
{
	DIR *open_folder = opendir(folder);
	const struct dirent *entry;
	char path[4096];
	size_t count = 0;

	if (!open_folder) {
		perror(folder);
		exit(1);
	}
	while ((entry = readdir(open_folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		replay(path);
		count++;
	}
	closedir(open_folder);
	return count;
}

int main(int argc, char **argv)
{
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-') /* libFuzzer's options */
			count += replay_folder(argv[i]);
	}
	printf("%zu files replayed\n", count);
	return count ? 0 : 1;
}
