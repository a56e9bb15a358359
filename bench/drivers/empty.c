/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the programs of a BPF object attached until it is killed: empty OBJECT. Says "attached"
 * when they are. */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct bpf_object *object = argc == 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	struct bpf_program *program;

	if (!object || bpf_object__load(object) < 0) {
		fprintf(stderr, "empty: cannot load the program\n");
		return 1;
	}
	bpf_object__for_each_program(program, object)
	{
		if (!bpf_program__attach(program)) {
			fprintf(stderr, "empty: cannot attach %s\n", bpf_program__name(program));
			return 1;
		}
	}
	puts("attached");
	fflush(stdout);
	pause();
	return 0;
}
