"""Reads each address with httpx and whatever it offers."""
import hashlib
import sys

import httpx

with httpx.Client(timeout=30) as client:
    for address in sys.argv[2:]:
        response = client.get(sys.argv[1] + address)
        print(response.status_code, hashlib.sha256(response.content).hexdigest(), address)
