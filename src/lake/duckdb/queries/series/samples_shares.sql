-- SPDX-License-Identifier: Apache-2.0
-- A run over time, in buckets of $interval_s seconds: what its tasks used (key 'tasks'), and what its engine did ('engine').
FROM share_samples_of($run, $interval_s);
