-- SPDX-License-Identifier: Apache-2.0
-- For one run, or ($run NULL) for the $limit newest ones that ended, a number that changes when their findings may change.
FROM run_stamps_of($run::VARCHAR, $limit);
