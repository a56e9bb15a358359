-- SPDX-License-Identifier: Apache-2.0
-- Which records a recording of a run holds: by run (the run and its parts, with the ids that their agents report), containers
-- by cgroup.
SELECT $run AS run_id, NULL::BIGINT AS cgroup_id
UNION SELECT part_id, NULL FROM parts WHERE run_id = $run
UNION SELECT NULL, cgroup_id FROM executions WHERE run_id = $run AND cgroup_id <> 0
UNION SELECT NULL, cgroup_id FROM tasks WHERE run_id = $run AND cgroup_id <> 0;
