-- SPDX-License-Identifier: Apache-2.0
-- What the resident and swapped memory consists of.
CREATE OR REPLACE MACRO is_kind(name) AS name IN ('rss_anon_bytes', 'rss_file_bytes', 'rss_shmem_bytes', 'swap_bytes');

-- Which share of the lifetime of the threads the times explain: 1 is all; NULL where no lifetime was counted.
CREATE OR REPLACE MACRO coverage_of(f) AS CASE WHEN f.threads_ns > 0 THEN explained_of(f) / f.threads_ns END;

-- Nanoseconds at work (docs/signal.md, As a bar): all states but waiting for children, and without sleep unless it is more than the
-- rest; unexplained time counts where it is more than 2 %. NULL where no lifetime was counted.
-- (Each figure is named once: DuckDB extracts a field from the row each time that it is named.)
CREATE OR REPLACE MACRO awake_of(w) AS w.explained - w.child - w.sleep
	+ CASE WHEN w.explained < 0.98 * w.threads THEN w.threads - w.explained ELSE 0 END;
CREATE OR REPLACE MACRO work_of(f) AS list_transform(
	[{ explained: explained_of(f), child: f.child_ns, sleep: f.sleep_ns, threads: f.threads_ns }],
	lambda w: CASE WHEN w.threads > 0 THEN
		cut(awake_of(w) + CASE WHEN w.sleep > awake_of(w) THEN w.sleep ELSE 0 END) END)[1];
