-- SPDX-License-Identifier: Apache-2.0
-- The tasks of a run as its dataflow needs them, at most $limit.
FROM dataflow_tasks_of($run, $limit);
