"""Ways to write an address that is not public, as they are used against servers that fetch what they are told."""

from typing import Final

_LOOPBACK: Final = """
    127.0.0.1 127.0.0.1. 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.0.0.01
    0 0.0.0.0 127.255.255.254 localhost LOCALHOST localhost. %31%32%37.0.0.1 １２７.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1
    ⓛⓞⓒⓐⓛⓗⓞⓢⓣ example.org@127.0.0.1 example.org:80@127.0.0.1 127.0.0.1%2f@127.0.0.1
    [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1]
    [64:ff9b::7f00:1] [2002:7f00:1::] [::1%25lo]
"""
"""Names of this machine."""
_WRITTEN: Final = (
    "http://\t127.0.0.1:{port}/secret",
    "http://127.0.0.1\n:{port}/secret",
    "http://127.0.0.1:{port}#@example.org/secret",
    "http://127.0.0.1:{port}\\@example.org/secret",
    " http://127.0.0.1:{port}/secret",
    "http:127.0.0.1:{port}/secret",
    "http:/\\127.0.0.1:{port}/secret",
    "http:\\\\127.0.0.1:{port}\\secret",
    "//127.0.0.1:{port}/secret",
    "HTTP://127.0.0.1:{port}/secret",
    "https://127.0.0.1:{port}/secret",
    "url:http://127.0.0.1:{port}/secret",
)
_NETWORKS: Final = """
    169.254.169.254/latest/meta-data/ [fd00:ec2::254]/latest/meta-data/ 2852039166/latest/meta-data/ 0xa9fea9fe/
    [::ffff:a9fe:a9fe]/ metadata.google.internal/computeMetadata/v1/ 100.100.100.200/latest/meta-data/
    192.0.0.192/latest/ 10.0.0.1/ 172.16.0.1/ 192.168.0.1/ 100.64.0.1/ 198.18.0.1/ 224.0.0.1/ 255.255.255.255/
    [fe80::1]/ [fc00::1]/ [ff02::1]/
"""
"""Addresses of other networks than the public one."""
_SCHEMES: Final = (
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
    loopback = (f"http://{name}:{{port}}/secret" for name in _LOOPBACK.split())
    networks = (f"http://{name}" for name in _NETWORKS.split())
    return [form.replace("{port}", str(port)) for form in (*loopback, *_WRITTEN, *networks, *_SCHEMES)]
