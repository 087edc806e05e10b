"""The receiver of webhooks of compose.yaml: prints type and id of each event.

    receiver.py CERTIFICATE KEY [PORT]

It checks no signature; conf/quickstart has receivers that do.
"""
import http.server
import json
import ssl
import sys

LARGEST = 1024 * 1024


class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > LARGEST:
            self.send_error(413)
            return
        try:
            event = json.loads(self.rfile.read(length))
            print(event["type"], event["id"], flush=True)
        except (ValueError, KeyError, TypeError):
            self.send_error(400)
            return
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main(certificate, key, port="8443"):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("", int(port)), Receiver)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


main(*sys.argv[1:])
