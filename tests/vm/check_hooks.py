# SPDX-License-Identifier: Apache-2.0
"""The row of check.py about which hook serves which figure, as `tracer doctor` prints it (src/probe/load/hooks.c, in its order)."""
import re
import sys

# *: not the first choice. The tracepoint with the victim's task came with 6.10, and to Debian's 6.1 with a stable release.
HOOKS = """
figure                            6.1-amd64                              6.1-arm64                              6.12-amd64
processes, their ends and totals  tp_btf/sched_process_fork              tp_btf/sched_process_fork              tp_btf/sched_process_fork
figures of live processes         iter/task                              iter/task                              iter/task
exact peak memory at exec         fentry/begin_new_exec*                 kprobe/begin_new_exec*                 tp_btf/sched_prepare_exec
exact peak memory at exit         fentry/taskstats_exit*                 kprobe/taskstats_exit*                 fentry/taskstats_exit*
why threads waited                tp_btf/sched_switch                    tp_btf/sched_switch                    tp_btf/sched_switch
what woke a thread                tp_btf/sched_waking                    tp_btf/sched_waking                    tp_btf/sched_waking
reclaim as paging                 field/task_struct.in_memstall          field/task_struct.in_memstall          field/task_struct.in_memstall
execs that fail                   fexit/__x64_sys_execve                 tracepoint/syscalls/sys_exit_execve*   fexit/__x64_sys_execve
folders of prepared tasks         fexit/__x64_sys_mkdirat                tracepoint/syscalls/sys_exit_mkdirat*  fexit/__x64_sys_mkdirat
files                             fentry/filp_close*                     tracepoint/syscalls/sys_enter_close*   fentry/filp_flush
files that cannot be opened       fexit/do_sys_openat2                   tracepoint/syscalls/sys_exit_openat*   fexit/do_sys_openat2
writes that fail                  fexit/vfs_write                        tracepoint/syscalls/sys_exit_write*    fexit/vfs_write
writes that fail later            tp_btf/file_check_and_advance_wb_err   tp_btf/file_check_and_advance_wb_err   tp_btf/file_check_and_advance_wb_err
victims of the OOM killer         tp_btf/mark_victim                     tp_btf/mark_victim                     tp_btf/mark_victim
bytes through sockets             fexit/inet_sendmsg*                    kprobe/inet_sendmsg*                   tp_btf/sock_send_length
connections                       tp_btf/inet_sock_set_state             tp_btf/inet_sock_set_state             tp_btf/inet_sock_set_state
connections that the host refuses  fexit/inet_stream_connect            tracepoint/syscalls/sys_exit_connect*  fexit/inet_stream_connect
TCP retransmissions               tp_btf/tcp_retransmit_skb*             tp_btf/tcp_retransmit_skb*             tp_btf/tcp_retransmit_skb*
containers' begin and end         tp_btf/cgroup_mkdir                    tp_btf/cgroup_mkdir                    tp_btf/cgroup_mkdir
requests to disks by process      tp_btf/block_rq_issue*                 tp_btf/block_rq_issue*                 tp_btf/block_io_start
latency of disks                  tp_btf/block_rq_complete               tp_btf/block_rq_complete               tp_btf/block_rq_complete
system calls (with --syscalls)    tp_btf/sys_enter                       tp_btf/sys_enter                       tp_btf/sys_enter
"""
# What a parameter of the kernel changes.
INSTEAD = {"psi=0": {"reclaim as paging": "tp_btf/mm_vmscan_direct_reclaim_begin*"}}


def expected(kernel, parameters):
    head, *lines = [re.split(r"\s{2,}", line) for line in HOOKS.strip().splitlines()]
    hooks = {line[0]: line[head.index(kernel)] for line in lines}
    for parameter in parameters:
        hooks.update(INSTEAD.get(parameter, {}))
    return hooks


def printed(path):
    """What doctor's last table says: a figure, padded to 34, its hook, and why this one."""
    lines = path.read_text().split("\nfigure ", 1)[-1].splitlines()[1:]
    hooks = {}
    for line in lines[:lines.index("")]:
        hook, why = line[35:].split(None, 1)
        hooks[line[:34].rstrip()] = hook + ("" if why in ("the first choice", "the only way") else "*")
    return hooks


def rows(table, path, kernel, parameters):
    said, wanted = printed(path), expected(kernel, parameters)
    wrong = [figure for figure in wanted | said if said.get(figure) != wanted.get(figure)]
    for figure in wrong:
        print(f"  {figure}: {said.get(figure)}, not {wanted.get(figure)}", file=sys.stderr)
    table.row("figures served by the hook that they should be", len(wanted) - len(wrong), len(wanted),
              wrong[0] if wrong else "", "each (check_hooks.py)")
