#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compute Engine as of Google's reference, and EC2 with the faults of AWS, over HTTP.

    service.py FOLDER     writes FOLDER/url, FOLDER/key.json (of a service account) and FOLDER/aws (credentials);
                          how it answers is read from FOLDER/mode at each request

Signatures of AWS (by botocore) and of Google's tokens (by cryptography) are checked: a wrong one is refused. FOLDER/asked gets a line a
request. What the modes do is said in aws.py and google.py.
"""
import http.server
import pathlib
import sys
import threading
import time

import aws
import google

FOLDER = pathlib.Path(sys.argv[1])
HUGE = 17 << 20


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    mode, count = "", {}

    def log_message(self, format, *args):
        pass

    def turn(self, what):
        """How often this was asked since the mode changed, from 1."""
        with Service.lock:
            mode = (FOLDER / "mode").read_text().strip()
            if mode != Service.mode:
                Service.mode, Service.count = mode, {}
            Service.count[what] = Service.count.get(what, 0) + 1
            return mode, Service.count[what]

    def answer(self, status, text, claimed=None, **headers):
        body = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if claimed is None else claimed))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True

    def fault(self, kind, text):
        """An answer that is broken in a way that both providers share; false: kind is none of these."""
        if kind == "truncated":
            self.answer(200, text[:40], claimed=len(text))
            self.close_connection = True
        elif kind == "huge":
            self.answer(200, text[:20] + " " * HUGE + text[20:])
        elif kind == "silent":
            time.sleep(60)
        elif kind == "lies":
            self.answer(200, "<html><body>Log in to the hotel's network</body></html>")
        else:
            return False
        return True

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        provider = google if self.path.startswith(("/token", "/compute/", "/computeMetadata/")) else aws
        what = provider.what(self, body)
        mode, turn = self.turn(what)
        with (FOLDER / "asked").open("a") as asked:
            asked.write(f"{mode} {self.command} {self.path} {what}\n")
        provider.answer(self, FOLDER, mode, turn, what, body)

    do_GET = do_POST = do_PUT = handle_request


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
server.daemon_threads = True
url = f"http://127.0.0.1:{server.server_port}"
(FOLDER / "mode").write_text("well")
google.prepare(FOLDER, url)
aws.prepare(FOLDER)
(FOLDER / "url.new").write_text(url)
(FOLDER / "url.new").rename(FOLDER / "url")
server.serve_forever()
