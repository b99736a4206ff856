"""A server with one data set, that speaks as much of the Hub's HTTP API as huggingface_hub needs to read and write.

There is none to install; the client is the real one, so what is proved is that jobs get on with it, not with the Hub.
"""

import base64
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote

_OID = "0" * 40


class Hub(ThreadingHTTPServer):
    """files: path in the data set -> its bytes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        found = (path for path in sorted(folder.rglob("*")) if path.is_file())
        self.files = {f"in/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}
        Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def list_entries(self, folder: str) -> list[dict[str, Any]]:
        """The files and folders in a folder."""
        inside = (name.removeprefix(folder).partition("/") for name in self.files if name.startswith(folder))
        return [self.describe(folder + head, is_file=not rest) for head, rest, _ in dict.fromkeys(inside)]

    def describe(self, path: str, *, is_file: bool) -> dict[str, Any]:
        size = len(self.files[path]) if is_file else 0
        return {"type": "file" if is_file else "directory", "oid": _OID, "size": size, "path": path}


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path, files = unquote(self.path.partition("?")[0]), self.server.files
        _, is_file, name = path.partition("/resolve/main/")
        _, is_folder, folder = path.partition("/tree/main")
        if is_file and name in files:
            first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
            self._send(206 if last else 200, files[name][int(first) : int(last or len(files[name])) + 1])
        elif is_folder and (found := self.server.list_entries(f"{folder}/".removeprefix("/"))):
            self._send(200, found)
        elif is_file or is_folder:
            self._send(404, {}, {"X-Error-Code": "EntryNotFound"})
        else:
            self._send(200, {"id": "crawl/pages", "sha": _OID, "private": False, "tags": [], "siblings": []})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "/paths-info/" in self.path:
            names = parse_qs(body.decode())["paths"]
            self._send(200, [self.server.describe(name, is_file=True) for name in names if name in self.server.files])
        elif "/preupload/" in self.path:
            modes = {"uploadMode": "regular", "shouldIgnore": False}
            self._send(200, {"files": [{"path": one["path"], **modes} for one in json.loads(body)["files"]]})
        elif "/commit/" in self.path:
            self._commit(map(json.loads, body.splitlines()))
        else:
            self._send(200, {})

    def _commit(self, lines: Any) -> None:
        for line in lines:
            if line["key"] == "file":
                self.server.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            elif line["key"] == "deletedFile":
                self.server.files.pop(line["value"]["path"], None)
        url = f"{self.server.address}/datasets/crawl/pages/commit/{_OID}"
        self._send(200, {"success": True, "commitUrl": url, "commitOid": _OID, "hookOutput": ""})

    def _send(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, content in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, content)
        self.end_headers()
        self.wfile.write(body)
