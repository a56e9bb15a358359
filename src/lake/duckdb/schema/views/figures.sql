-- SPDX-License-Identifier: Apache-2.0
-- What the resident and swapped memory consists of.
CREATE OR REPLACE MACRO is_kind(name) AS name IN ('rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes');

-- Below: explained_ns is the time of all states of a row of figures, list_sum([*COLUMNS(lambda f: is_state(f))]). (Not macros of the
-- row: DuckDB makes the row once for each of its fields that a macro names, which takes as long to plan as all other sums.)

-- Which share of the lifetime of the threads the times explain: 1 is all; NULL where no lifetime was counted.
CREATE OR REPLACE MACRO coverage_of(explained_ns, threads_ns) AS CASE WHEN threads_ns > 0 THEN explained_ns / threads_ns END;

-- Nanoseconds at work (docs/signal.md, As a bar): all states but waiting for children, and without sleep unless it is more than the
-- rest; unexplained time counts where it is more than 2 %. NULL where no lifetime was counted.
CREATE OR REPLACE MACRO awake_of(explained_ns, child_ns, sleep_ns, threads_ns) AS explained_ns - child_ns - sleep_ns
	+ CASE WHEN explained_ns < 0.98 * threads_ns THEN threads_ns - explained_ns ELSE 0 END;
CREATE OR REPLACE MACRO work_of(explained_ns, child_ns, sleep_ns, threads_ns) AS CASE WHEN threads_ns > 0 THEN
	cut(awake_of(explained_ns, child_ns, sleep_ns, threads_ns)
		+ CASE WHEN sleep_ns > awake_of(explained_ns, child_ns, sleep_ns, threads_ns) THEN sleep_ns ELSE 0 END) END;
