# SPDX-License-Identifier: Apache-2.0
"""A lake of a bench, in a folder of its own, and what the benches ask of it."""
import ctypes
import http.client
import json
import os
import pathlib
import resource
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).parent.parent.parent
RECORDED = ROOT / "tests" / "data" / "runs"
BUILD = pathlib.Path(os.environ.get("TRACER_BUILD", ROOT / "build" / "release"))
PR_SET_PDEATHSIG = 1  # linux/prctl.h
TOKEN_AGENTS, TOKENS_RELOAD_S = 100, 7  # that have one token; within which the lake reads new ones
START_S = 300  # until which a lake must be ready
# A lake has nothing more to do when it used less than this share of a core in each of so many seconds (a run is settled half
# a minute after its last record); how long that may take.
IDLE_CORE, QUIET_S, SETTLE_S = 0.05, 45, 900


def prepare():
    """It ends with this process, and may open as many files as the service of a lake of 10,000 agents (LimitNOFILE)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Lake:
    def __init__(self, folder, *settings):
        self.folder, self.settings, self.process, self.open_s = pathlib.Path(folder), settings, None, 0.0
        self.file = self.folder / "lake" / "tracer.duckdb"
        self.folder.mkdir(parents=True, exist_ok=True)

    def begin(self):
        """Starts it, and returns the file in which its URL will be."""
        url = self.folder / "url"
        url.unlink(missing_ok=True)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [BUILD / "tracer-lake", "--listen", "127.0.0.1:0", "--data-folder", self.folder / "lake", "--tokens-folder",
                 self.folder / "tokens", "--url-file", url, *self.settings], stderr=log, preexec_fn=prepare)
        return url

    def start(self):
        """Until it is ready; open_s is how long that took."""
        began = time.monotonic()
        url = self.begin()
        while not self.ready(url):
            if self.process.poll() is not None or time.monotonic() - began > START_S:
                raise SystemExit(f"the lake does not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.005)
        self.open_s = time.monotonic() - began
        return self

    def ready(self, url):
        if not url.exists() or not url.read_text().strip():
            return False
        self.port = int(url.read_text().strip().rpartition(":")[2].rstrip("/"))
        try:
            return self.get("/readyz")[1] == 200
        except OSError:
            return False

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
        if self.process:
            self.process.wait()
        self.process = None

    def kill(self):
        self.stop(signal.SIGKILL)

    def token_file(self, scope):
        return self.folder / "tokens" / scope

    def make_tokens(self, agents):
        """A file of tokens for so many agents: an ingest token is of one host, and any has as many requests at once as a host
        needs."""
        file = self.folder / f"tokens-{agents}"
        if not file.exists():
            command = self.command("token", "create", "--scope", "admin", "--name", "bench")
            tokens = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]
                      for _ in range(-(-agents // TOKEN_AGENTS))]
            file.write_text("\n".join(tokens) + "\n")
            time.sleep(TOKENS_RELOAD_S)
        return file

    def get(self, path, connection=None):
        """Milliseconds, status and bytes of an answer."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        token = self.token_file("read").read_text().strip() if self.token_file("read").exists() else ""
        began = time.monotonic()
        own.request("GET", path, headers={"Authorization": f"Bearer {token}", "Accept": "application/json"})
        answer = own.getresponse()
        body = answer.read()
        ms = (time.monotonic() - began) * 1000
        if not connection:
            own.close()
        return ms, answer.status, body

    def json(self, path):
        _, status, body = self.get(path)
        if status != 200:
            raise SystemExit(f"{path}: the lake answers {status}: {body[:500]!r}")
        return json.loads(body)

    def metric(self, name):
        """0 where it has none of that name."""
        _, _, body = self.get("/metrics")
        found = [line.split()[1] for line in body.decode().splitlines() if line.startswith(name + " ")]
        return int(float(found[0])) if found else 0

    def status(self, field):
        """kB of a line of /proc/PID/status."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
        return 0

    def cpu_s(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_idle(self, quiet_s=QUIET_S):
        """Until it has settled what it was sent: it uses no CPU."""
        until, quiet = time.monotonic() + SETTLE_S, 0
        while quiet < quiet_s and time.monotonic() < until:
            used = self.cpu_s()
            time.sleep(1)
            quiet = quiet + 1 if self.cpu_s() - used < IDLE_CORE else 0

    def command(self, *words):
        """A command of tracer-lake about this lake."""
        return [BUILD / "tracer-lake", *words, "--data-folder", self.folder / "lake", "--tokens-folder", self.folder / "tokens",
                "--url-file", self.folder / "url"]

    def load(self, work, **options):
        """Simulated agents (bench/drivers/lake/load.c) send to it; what they saw."""
        return self.loading(work, **options).result()

    def loading(self, work, **options):
        return Load(self, work, options)


class Load:
    """Simulated agents that are sending."""

    def __init__(self, lake, work, options):
        agents = options.get("agents", 1)
        options.setdefault("token_file", lake.token_file("admin") if agents <= TOKEN_AGENTS else lake.make_tokens(agents))
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        self.process = subprocess.Popen([BUILD / "bench" / "lake_load", "--port", str(lake.port), "--work", work, "--recorded",
                                         RECORDED, *words], stdout=subprocess.PIPE, text=True, preexec_fn=prepare)

    def result(self):
        out, _ = self.process.communicate()
        if self.process.returncode:
            raise SystemExit(f"lake_load failed (exit status {self.process.returncode}): see above")
        return json.loads(out)


def has_command(name):
    """Whether tracer-lake has this command, by its help."""
    out = subprocess.run([BUILD / "tracer-lake", "--help"], capture_output=True, text=True).stdout
    return any(line.startswith(f"  {name} ") or line.startswith(f"  {name}:") for line in out.splitlines())


def sql(file, *statements, write=False):
    out = subprocess.run([BUILD / "bench" / "lake_sql", str(file), *(["-w"] if write else []), *statements],
                         capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(f"lake_sql: {out.stderr}")
    return [line.split("\t") for line in out.stdout.splitlines()]


def number(file, statement):
    return int(float(sql(file, statement)[0][0] or 0))
