"""Keeps connections between requests with http.client and sends nothing twice.

kept_client.py PORT SECONDS RUNS: reads {"headers": {...}, "body": "..."}
of the creations from standard input; prints how many requests were sent and
what became of those that were not answered as they should be.
"""
import http.client
import json
import sys
import threading
import time

port, idle, runs = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
given = json.load(sys.stdin)
path = "/v1/verification_sessions"
sent, lost = [], []


def run(number):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.connect()
    first = connection.sock
    for place, letter in enumerate(format(number % 16, "04b") + "1"):
        time.sleep(idle if place else 0)
        for method in ("POST", "GET") if letter == "1" else ("GET", "POST"):
            sent.append(method)
            try:
                body = given["body"] if method == "POST" else None
                connection.request(method, path, body, given["headers"])
                answer = connection.getresponse()
                answer.read()
                if answer.status != (201 if body else 200):
                    lost.append(f"{method}: {answer.status}")
                if connection.sock is not first:
                    lost.append(f"{method}: the connection was closed")
            except (OSError, http.client.HTTPException) as error:
                lost.append(f"{method}: {error!r}")
                return


threads = [threading.Thread(target=run, args=(n,)) for n in range(runs)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"sent": len(sent), "lost": lost}))
