"""A scripted stand-in for the Messages API on loopback.

Owns: speaking the wire format to the real client, one reply a request, in the order a `Desk` hands them out.
Does not: know what a session is about, or start the client.
"""
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


SUMMARY = """<summary>
The user wants a small change finished. All user messages so far asked for ordinary edits, which are done and checked.
Always continue with the open point; never start over.
</summary>"""


class Reply:
    """One answer of the model: text and tool calls, streamed as the service would."""

    def __init__(self, blocks, hold=None, hold_after=None):
        self.blocks = blocks  # [("text", str) | ("tool", name, input)]
        self.hold = hold  # threading.Event to wait for before answering, or None
        self.hold_after = hold_after  # the same, after the content and before the end


class Desk:
    """Hands out replies: the main conversation in order, each sub-agent by the prompt it was started with."""

    def __init__(self):
        self.lock = threading.Condition()
        self.main = []
        self.agents = []  # [(prompt, [Reply])]
        self.asked = 0  # main requests seen so far
        self.trouble = []

    def expect(self, reply):
        with self.lock:
            self.main.append(reply)
            self.lock.notify_all()

    def take(self, body):
        first = words(body["messages"][0])
        with self.lock:
            for prompt, replies in self.agents:
                if prompt in first and replies:
                    return replies.pop(0)
            if "create a detailed summary of" in words(body["messages"][-1]):
                return Reply([("text", SUMMARY)])
            if not body.get("tools"):
                return Reply([("text", side_answer(body))])
            last = words(body["messages"][-1])
            self.asked += 1
            self.lock.notify_all()
            if not self.lock.wait_for(lambda: self.main, timeout=60):
                self.trouble.append("no reply left for: " + last[-300:])
                return Reply([("text", "(end of script)")])
            return self.main.pop(0)


def words(message):
    """All text of one API message."""
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if isinstance(block, dict))


def side_answer(body):
    """Answers the client's own small requests (a title for the session, a topic check)."""
    system = body.get("system") or ""
    text = system if isinstance(system, str) else " ".join(part.get("text", "") for part in system)
    if "title" in text.lower():
        return json.dumps({"title": "Work on the project"})
    return "ok"


def serve(desk):
    """Starts the stub on a free loopback port and returns the server."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_HEAD(self):
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def do_GET(self):
            self.plain({})

        def plain(self, value, status=200):
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            if "count_tokens" in self.path:
                return self.plain({"input_tokens": 1000})
            if not self.path.startswith("/v1/messages"):
                return self.plain({})
            reply = filled(desk.take(body), body)
            number = next_number()
            try:
                if body.get("stream"):
                    self.stream(body, reply, number)
                else:
                    self.plain(whole(body, reply, number))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client was interrupted: that is part of the script

        def stream(self, body, reply, number):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.event("message_start", {"message": {**whole(body, Reply([]), number), "stop_reason": None}})
            while reply.hold and not reply.hold.wait(1):
                self.event("ping", {})
            for index, block in enumerate(reply.blocks):
                start, deltas = pieces(block, number, index)
                self.event("content_block_start", {"index": index, "content_block": start})
                for delta in deltas:
                    self.event("content_block_delta", {"index": index, "delta": delta})
                self.event("content_block_stop", {"index": index})
            while reply.hold_after and not reply.hold_after.wait(1):
                self.event("ping", {})
            self.event("message_delta", {
                "delta": {"stop_reason": stop_reason(reply), "stop_sequence": None},
                "usage": {"output_tokens": 10 + size(reply) // 4},
            })
            self.event("message_stop", {})
            self.wfile.write(b"0\r\n\r\n")

        def event(self, name, value):
            data = f"event: {name}\ndata: {json.dumps({'type': name, **value})}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


counter = [0]
counter_lock = threading.Lock()


PLAN_FILE = re.compile(r"/[^\s\"'`]+/plans/[^\s\"'`]+\.md")


def filled(reply, body):
    """Puts the plan file the client named for this session where a script says {PLAN}."""
    text = json.dumps(reply.blocks)
    if "{PLAN}" not in text:
        return reply
    named = PLAN_FILE.findall(json.dumps(body["messages"]))
    path = named[-1].replace("\\", "") if named else "/missing-plan-file"
    blocks = json.loads(text.replace("{PLAN}", path))
    return Reply([tuple(block) for block in blocks], reply.hold, reply.hold_after)


def next_number():
    with counter_lock:
        counter[0] += 1
        return counter[0]


def size(reply):
    return sum(len(json.dumps(block)) for block in reply.blocks)


def stop_reason(reply):
    return "tool_use" if any(block[0] == "tool" for block in reply.blocks) else "end_turn"


def pieces(block, number, index):
    """The start of a content block and the deltas that fill it."""
    if block[0] == "text":
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block[1]}]
    _, name, arguments = block
    start = {"type": "tool_use", "id": f"toolu_{number:06d}{index:02d}", "name": name, "input": {}}
    return start, [{"type": "input_json_delta", "partial_json": json.dumps(arguments)}]


def whole(body, reply, number):
    content = []
    for index, block in enumerate(reply.blocks):
        if block[0] == "text":
            content.append({"type": "text", "text": block[1]})
        else:
            content.append({"type": "tool_use", "id": f"toolu_{number:06d}{index:02d}", "name": block[1], "input": block[2]})
    return {
        "id": f"msg_{number:06d}", "type": "message", "role": "assistant", "model": body.get("model", "stub"),
        "content": content, "stop_reason": stop_reason(reply), "stop_sequence": None,
        "usage": {"input_tokens": 3 + len(json.dumps(body["messages"])) // 4, "output_tokens": 10 + size(reply) // 4,
                  "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    }
