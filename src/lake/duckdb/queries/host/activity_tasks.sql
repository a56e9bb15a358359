-- SPDX-License-Identifier: Apache-2.0
-- The CPU time (user + kernel) of each task of $run on each host, of executions alive between two instants (NULL: no bound).
FROM task_work_of($run, $since_at::TIMESTAMP, $until_at::TIMESTAMP) ORDER BY host_id, run_id, task_id;
