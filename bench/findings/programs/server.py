# SPDX-License-Identifier: Apache-2.0
"""server.py PORT BYTES BEFORE_S BETWEEN_S: answers each request with so many bytes, and how long it waits first and between eighths."""
import http.server
import sys
import time

PORT, SIZE, BEFORE_S, BETWEEN_S = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(BEFORE_S)
        self.send_response(200)
        self.send_header("Content-Length", str(SIZE // 8 * 8))
        self.end_headers()
        for _ in range(8):
            self.wfile.write(b"A" * (SIZE // 8))
            self.wfile.flush()
            time.sleep(BETWEEN_S)


http.server.ThreadingHTTPServer(("", PORT), Handler).serve_forever()
