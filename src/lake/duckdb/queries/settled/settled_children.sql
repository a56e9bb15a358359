-- SPDX-License-Identifier: Apache-2.0
-- Settled runs that were started in a run.
SELECT run_id FROM settled WHERE parent_run_id = $run;
