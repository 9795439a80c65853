"""Reads each address with requests and whatever it offers."""
import hashlib
import sys

import requests

session = requests.Session()
for address in sys.argv[2:]:
    response = session.get(sys.argv[1] + address, timeout=30)
    print(response.status_code, hashlib.sha256(response.content).hexdigest(), address)
