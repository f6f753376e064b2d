"""A tool server on loopback that lets nobody in without signing in: just enough of OAuth 2.1 and MCP's authorization for a person
who says yes. That nothing but what is right gets through is tested with the strict one of the command's tests."""
import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit


class Remote:
    def __init__(self):
        remote = self
        self.issued = []

        class Pages(BaseHTTPRequestHandler):
            def do_GET(self):
                remote.page(self, urlsplit(self.path))

            def do_POST(self):
                self.body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                remote.page(self, urlsplit(self.path))

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.address = f"{self.base}/mcp"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def page(self, request, asked):
        login, query = f"{self.base}/login", {name: values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path == "/mcp":
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            where = f'Bearer resource_metadata="{self.base}/.well-known/oauth-protected-resource/mcp"'
            return answer(request, 200 if token in self.issued else 401, {}, {"www-authenticate": where})
        if asked.path == "/.well-known/oauth-protected-resource/mcp":
            return answer(request, 200, {"resource": self.address, "authorization_servers": [login]})
        if asked.path == "/.well-known/oauth-authorization-server/login":
            return answer(request, 200, {
                "issuer": login, "authorization_endpoint": f"{login}/authorize", "token_endpoint": f"{login}/token",
                "registration_endpoint": f"{login}/register", "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": True})
        if asked.path == "/login/register":
            return answer(request, 200, {"client_id": "window", **json.loads(request.body)})
        if asked.path == "/login/authorize":
            back = urlencode({"code": "yes", "state": query["state"], "iss": login})
            return answer(request, 302, {}, {"location": f"{query['redirect_uri']}?{back}"})
        if asked.path == "/login/token":
            self.issued.append(f"signed-in-{uuid.uuid4()}")
            return answer(request, 200, {"access_token": self.issued[-1], "token_type": "Bearer", "expires_in": 3600})
        return answer(request, 404, {})


def answer(request, status, value, headers=()):
    text = json.dumps(value).encode()
    request.send_response(status)
    for name, words in {"content-type": "application/json", "content-length": str(len(text)), **dict(headers)}.items():
        request.send_header(name, words)
    request.end_headers()
    request.wfile.write(text)
