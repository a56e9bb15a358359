-- SPDX-License-Identifier: Apache-2.0
-- The GPUs of a run's hosts while it lasted, other work of theirs, too.
SELECT * FROM gpus_of_run($run, $interval_s) ORDER BY host_id, uuid, "at";
