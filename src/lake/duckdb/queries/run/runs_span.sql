-- SPDX-License-Identifier: Apache-2.0
-- From when to when the runs of a page of the list (runs.sql) were; those that run: until now. NULL: the page has no run.
SELECT min(started_at) AS started_at, max(coalesce(ended_at, now_at())) AS ended_at
FROM page_of_runs($reader::VARCHAR, $sort, $status::VARCHAR, $pipeline::VARCHAR, $cursor::VARCHAR, $limit);
