-- SPDX-License-Identifier: Apache-2.0
-- How long the buckets of the samples of a run should be, in seconds.
FROM samples_interval_of($run);
