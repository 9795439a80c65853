"""Reads each address with Python's own library: it offers no coding, and offers and unpacks gzip when told to."""
import gzip
import hashlib
import sys
import urllib.error
import urllib.request

for address in sys.argv[2:]:
    for coding in (None, "gzip"):
        request = urllib.request.Request(sys.argv[1] + address, headers={"Accept-Encoding": coding} if coding else {})
        try:
            response = urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error
        body = response.read()
        if response.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        print(response.status, hashlib.sha256(body).hexdigest(), address)
