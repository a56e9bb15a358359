-- SPDX-License-Identifier: Apache-2.0
-- When each host was up, by its samples: the times that overlap two instants (NULL: no bound), without gaps of at most a minute.
FROM up_between($since_at, $until_at) ORDER BY host_id, since_at;
