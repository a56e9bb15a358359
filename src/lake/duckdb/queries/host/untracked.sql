-- SPDX-License-Identifier: Apache-2.0
-- What used the CPU time of a host ($host) in the intervals that ended between two instants: tracked work, the cgroups of
-- untracked work, further cgroups together, the rest. The kernel counts the host's user + kernel time by ticks and the others
-- exactly, so the rest may be negative: then cpu_ns is 0, and difference_ns says by how much. The sum of cpu_ns less
-- difference_ns over all rows is the host's time; share is a row's part of the sum of cpu_ns. A cgroup that was among the
-- further ones in some intervals has its part of those there. Memory is the mean of the intervals in which it is known.
SELECT kind, path,
	max(cgroups) AS cgroups,
	cut(greatest(sum(cpu_ns), 0)) AS cpu_ns,
	cut(greatest(-sum(cpu_ns), 0)) AS difference_ns,
	(greatest(sum(cpu_ns), 0) / nullif(sum(greatest(sum(cpu_ns), 0)) OVER (), 0))::DOUBLE AS share,
	avg(memory_bytes) FILTER (memory_known)::BIGINT AS memory_bytes,
	sum(seconds(since_at, until_at)) AS sample_s
FROM untracked
WHERE host_id = $host AND until_at > $since_at AND until_at <= $until_at
GROUP BY kind, path
ORDER BY kind = 'tracked' DESC, kind = 'rest' DESC, kind = 'more' DESC, sum(cpu_ns) DESC, path
LIMIT $limit;
