-- SPDX-License-Identifier: Apache-2.0
-- The GPUs of the hosts of a run while it lasted, with the use by other work.
SELECT * FROM gpus_of_run($run, $interval_s) ORDER BY host_id, uuid, "at";
