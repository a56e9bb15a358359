# SPDX-License-Identifier: Apache-2.0
"""Compute Engine with a few machines and disks, over HTTP, as its reference has it (aggregatedList of instances and disks): what an agent
cannot report. A lake lists it by the rights of its machine, which its metadata server gives."""
import datetime
import http.server
import json
import threading
import urllib.parse

V1 = "https://www.googleapis.com/compute/v1/projects/bench/zones/us-central1-a"


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def machine(number, name, launched_at, **labels):
    return {"id": str(number), "name": name, "zone": V1, "status": "RUNNING", "machineType": V1 + "/machineTypes/n2-standard-4",
            "creationTimestamp": text_of(launched_at), "lastStartTimestamp": text_of(launched_at), "labels": labels}


def disk(number, name, created_at, detached_at=None, users=(), **labels):
    times = {"lastAttachTimestamp": text_of(created_at), "lastDetachTimestamp": text_of(detached_at)} if detached_at else {}
    return {"id": str(number), "name": name, "zone": V1, "type": V1 + "/diskTypes/pd-ssd", "sizeGb": "100", "status": "READY",
            "creationTimestamp": text_of(created_at), "users": [f"{V1}/instances/{user}" for user in users], "labels": labels, **times}


class Provider:
    """Serves until stop(); url is where."""

    def __init__(self, machines, disks):
        lists = {"instances": machines, "disks": disks, "instanceGroupManagers": []}

        class Service(http.server.BaseHTTPRequestHandler):
            def log_message(self, format, *args):
                pass

            def do_GET(self):
                kind = urllib.parse.urlsplit(self.path).path.rpartition("/")[2]
                if self.path.startswith("/computeMetadata/"):
                    body = "bench" if kind == "project-id" else json.dumps({"access_token": "ya29.bench", "expires_in": 3599})
                else:
                    body = json.dumps({"kind": "compute#aggregatedList", "items": {"zones/us-central1-a": {kind: lists[kind]}}})
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self):
        """Of inventory.yaml."""
        return (f'accounts:\n  - {{name: bench, provider: gcp, projects: [bench], endpoint: "{self.url}", metadata-endpoint: "{self.url}", '
                "interval: 1m}\n")

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
