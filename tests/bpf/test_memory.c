#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

static void resident_memory_is_told_by_kind(void **state)
{
	const char *const argv[] = { watch_driver_path(), "hold", "96", NULL };
	const uint64_t third = 32ULL << 20, slack = 4ULL << 20;
	CLEANUP(watch_freep) struct watch *watch = watch_driver();
	const struct probe_figures *figures;
	int until;
	pid_t pid = watch_start(argv, &until);

	watch_poll(watch);
	assert_true(probe_sample(watch->probe) > 0);
	close(until);
	waitpid(pid, NULL, 0);
	figures = &watch_find(watch, WATCH_ALIVE, pid, 0)->alive.figures;
	assert_int_equal(figures->rss_bytes, figures->rss_anon_bytes + figures->rss_file_bytes +
						     figures->rss_shmem_bytes);
	assert_in_range(figures->rss_anon_bytes, third, third + slack);
	assert_in_range(figures->rss_file_bytes, third, third + slack);
	assert_in_range(figures->rss_shmem_bytes, third, third + slack);
	assert_int_equal(figures->swap_bytes, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_final(watch, pid)->rss_anon_bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resident_memory_is_told_by_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
