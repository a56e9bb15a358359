#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A metadata service of Google's, written after its reference, or one that does something else.

    service.py FOLDER     writes FOLDER/url; how it answers is read from FOLDER/mode at each request

Modes: google; google-preempted; hangs; redirects; lies; huge; silent (without the header of the service). What was asked for is appended to FOLDER/asked.
https://cloud.google.com/compute/docs/metadata/predefined-metadata-keys
https://cloud.google.com/compute/docs/metadata/querying-metadata
"""
import http.server
import pathlib
import sys
import time

FOLDER = pathlib.Path(sys.argv[1])
PREFIX = "/computeMetadata/v1/"
VALUES = {
    "instance/id": "4520031799277581759",
    "instance/machine-type": "projects/123456789012/machineTypes/n2-standard-4",
    "instance/zone": "projects/123456789012/zones/us-central1-a",
    "instance/scheduling/preemptible": "TRUE",
    "instance/scheduling/provisioning-model": "SPOT",
    "instance/attributes/cluster-name": "gke-1",
    "instance/attributes/cluster-location": "us-central1",
    "instance/maintenance-event": "NONE",
    "instance/preempted": "FALSE",
    "project/project-id": "my-project",
}
HANG_S = 60


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args):
        pass

    def answer(self, status, text, **headers):
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def google(self, preempted):
        if self.headers.get("Metadata-Flavor") != "Google":
            self.answer(403, "Missing Metadata-Flavor:Google header.")
            return
        key = self.path.removeprefix(PREFIX)
        text = "TRUE" if preempted and key == "instance/preempted" else VALUES.get(key)
        self.answer(404 if text is None else 200, text or "<html>404</html>", Metadata_Flavor="Google", Content_Type="application/text")

    def do_GET(self):
        mode = (FOLDER / "mode").read_text().strip()
        with (FOLDER / "asked").open("a") as asked:
            asked.write(f"{mode} {self.path}\n")
        if mode == "hangs":
            time.sleep(HANG_S)
        elif mode == "redirects":
            self.answer(302, "", Metadata_Flavor="Google", Location=f"http://127.0.0.1:{self.server.server_port}/elsewhere")
        elif mode == "lies":
            self.answer(200, "<html>Log in to the hotel's network</html>", Metadata_Flavor="Google")
        elif mode == "huge":
            self.answer(200, "1" * (1 << 20), Metadata_Flavor="Google")
        elif mode == "silent":
            self.answer(200, VALUES["instance/id"])
        else:
            self.google(mode == "google-preempted")

    do_PUT = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
server.daemon_threads = True
(FOLDER / "url.new").write_text(f"http://127.0.0.1:{server.server_port}")
(FOLDER / "url.new").rename(FOLDER / "url")
server.serve_forever()
