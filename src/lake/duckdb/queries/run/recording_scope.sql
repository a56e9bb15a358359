-- SPDX-License-Identifier: Apache-2.0
-- Whose records a recording of a run holds: by run (it and its parts, as their agents tell them), containers by their cgroup.
SELECT $run AS run_id, NULL::BIGINT AS cgroup_id
UNION SELECT part_id, NULL FROM parts WHERE run_id = $run
UNION SELECT NULL, cgroup_id FROM executions WHERE run_id = $run AND cgroup_id <> 0
UNION SELECT NULL, cgroup_id FROM tasks WHERE run_id = $run AND cgroup_id <> 0;
