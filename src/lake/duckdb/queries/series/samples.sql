-- SPDX-License-Identifier: Apache-2.0
-- A run over time, in buckets of $interval_s seconds, by $by.
FROM samples_of($run, $by, $interval_s);
