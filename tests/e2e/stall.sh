#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stalled work is reported, with what it waits for; work that only waits for other work is not.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 >/dev/null
kill -TERM "$(cut -d' ' -f1 "$TRACER_DATA/agent.pid")"
wait_for "the agent stops" test ! -e "$TRACER_DATA/agent/control.sock"
tracer collect --stall-after 3s --lake "$(cat "$TRACER_DATA/lake.url")" --token-file "$TRACER_DATA/tokens/ingest" \
	--state-folder "$TRACER_DATA/agent" 2>"$TRACER_DATA/agent-stall.log" &
agent=$!
wait_for "the agent watches" test -S "$TRACER_DATA/agent/control.sock"

cat >"$work/hang.py" <<'PYTHON'
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()  # it is never released
PYTHON
# A deadlock, and behind its pipe one that starves.
tracer run --name hang -- sh -c "python3 '$work/hang.py' | cat" &
hang=$!
# One pipe with an upstream that computes, one with an upstream that sleeps: slow is not stalled.
tracer run --name slow -- sh -c 'timeout 8 sh -c "while :; do :; done" | cat; sleep 7 | cat'

cat >"$work/server.py" <<'PYTHON'
import os, selectors, socket, sys
server = socket.create_server(("127.0.0.1", 0))
waits = selectors.DefaultSelector()
waits.register(server, selectors.EVENT_READ)
with open(sys.argv[1] + ".new", "w") as file:
    print(os.getpid(), server.getsockname()[1], file=file)
os.rename(sys.argv[1] + ".new", sys.argv[1])
clients = []
while waits.select():
    clients.append(server.accept())  # and never an answer
PYTHON
# A download from a server of another run that does not answer; the server waits for clients by design.
tracer run --name serve -- python3 "$work/server.py" "$work/server" &
serve=$!
wait_for "the server listens" test -s "$work/server"
read -r server port <"$work/server"
tracer run --name fetch -- curl --silent --noproxy '*' "http://127.0.0.1:$port/" &
fetch=$!

clean_up_own() {
	[ "$1" = 0 ] || { echo "the last events asked for: $(jq -c . "$work/events")" >&2; tracer processes hang >&2; }
}
events() { tracer events "$1" --json >"$work/events" && jq -e "$2" "$work/events" >/dev/null; }
wait_for "the deadlock is reported" events hang 'any(.events[]; .kind == "stall_begin" and (.summary | test("hang.py.*lock")))'
wait_for "the starved reader is reported, with who holds the other end" \
	events hang 'any(.events[]; .kind == "stall_begin" and (.summary | test("cat.*pipe.*held by hang.py")))'
wait_for "the download is reported, with who holds the other end of its connection" \
	events fetch 'any(.events[]; .kind == "stall_begin" and (.summary | test("curl.*network.*held by server.py \\(pid '"$server"'\\)")))'
kill -KILL "$server"
wait $fetch && fault "the download succeeded"
wait $serve && fault "the server succeeded"
wait_for "the end of the download is reported" events fetch '[.events[] | select(.kind == "stall_end")] | length == 1'
events serve '[.events[] | select(.kind | startswith("stall"))] | length == 0' || fault "a server was called stuck: $(cat "$work/events")"
pkill -KILL -f "^python3 $work/hang.py"
wait $hang || fault "the run ended with $?"
wait_for "the end of the stall is reported" events hang '[.events[] | select(.kind == "stall_end")] | length == 2'
events slow '[.events[] | select(.kind | startswith("stall"))] | length == 0' || fault "slow work was called stuck: $(cat "$work/events")"
kill -TERM $agent
wait $agent
