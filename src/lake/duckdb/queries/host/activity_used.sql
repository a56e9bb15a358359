-- SPDX-License-Identifier: Apache-2.0
-- When tracked work used each host, between two instants (NULL: no bound), cut to them. Gaps of less than a second are closed.
FROM used_between($since_at, $until_at) ORDER BY host_id, since_at;
