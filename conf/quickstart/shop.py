# SPDX-License-Identifier: Apache-2.0
"""A shop that asks for the age before it sells: python3 shop.py"""
import hashlib
import hmac
import html
import json
import os
import re
import secrets
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVICE = os.environ["VERIFY_URL"]
KEY = os.environ["VERIFY_SECRET_KEY"]
WORKFLOW = os.environ["VERIFY_WORKFLOW"]
WEBHOOK_SECRET = os.environ["VERIFY_WEBHOOK_SECRET"]
orders = {}  # a real shop has a database


def create_session(order):
    body = {"type": "age", "workflow_id": WORKFLOW, "jurisdiction": "US-CA",
            "client_reference_id": order}
    request = urllib.request.Request(
        SERVICE + "/v1/verification_sessions", json.dumps(body).encode(),
        {"Authorization": "Bearer " + KEY, "Content-Type": "application/json",
         "Idempotency-Key": order})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def is_signed(header, body):
    """Whether the service sent this body, in the last five minutes."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if not match or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(WEBHOOK_SECRET.encode(), match[1].encode() + b"." + body,
                        hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])


def take_event(event):
    """An event may come twice, and what came late changes no end."""
    kind, _, what = event["type"].rpartition(".")
    order = event["data"]["object"].get("client_reference_id")
    if kind == "verification_session" and orders.get(order) == "waits" \
            and what in ("verified", "failed", "cancelled", "expired"):
        orders[order] = what  # "verified": send the goods


class Shop(BaseHTTPRequestHandler):
    def respond(self, status, text="", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        order = self.path.rpartition("/")[2]
        if self.path == "/":
            self.respond(200, '<form method="post" action="/orders">'
                              "<button>Buy wine</button></form>")
        elif order in orders:
            self.respond(200, html.escape(orders[order]))
        else:
            self.respond(404, "no such page")

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > 1000000:
            return self.respond(413)
        body = self.rfile.read(length)
        if self.path == "/orders":
            order = secrets.token_hex(8)
            session = create_session(order)
            orders[order] = "waits"
            self.respond(303, Location=session["url"], **{"X-Order": order})
        elif self.path == "/webhooks":
            if not is_signed(self.headers.get("Service-Signature"), body):
                return self.respond(400, "not signed")
            take_event(json.loads(body))
            self.respond(200)
        else:
            self.respond(404, "no such page")


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))),
                    Shop).serve_forever()
