"""The newest funding rates of one asset, highest first: rates.py BASE_URL ASSET [POLLS]. Uses the standard library only."""
import gzip
import json
import sys
import time
import urllib.error
import urllib.request
from decimal import Decimal


class Rates:
    """Polls one path. Sends the ETag of the last response, so that an unchanged snapshot costs a 304 without a body."""

    def __init__(self, url):
        self.url, self.etag, self.rows = url, None, []

    def poll(self):
        request = urllib.request.Request(self.url, headers={"Accept-Encoding": "gzip"})
        if self.etag:
            request.add_header("If-None-Match", self.etag)
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as response:
                    body = response.read()
                    if response.headers.get("Content-Encoding") == "gzip":
                        body = gzip.decompress(body)
                    self.etag = response.headers.get("ETag")
                    # Decimal keeps every digit; float does not.
                    self.rows = json.loads(body, parse_float=Decimal)["rows"]
                    return True
            except urllib.error.HTTPError as error:
                if error.code == 304:
                    return False
                if error.code not in (429, 503):
                    raise
                # Both name the time after which a retry makes sense.
                time.sleep(int(error.headers.get("Retry-After", "5")))


def main(base, asset, polls=1):
    # All exchanges: without `venues` the default scope responds, which is half of them.
    rates = Rates(f"{base}/api/v1/latest?assets={asset}&venues=all")
    for poll in range(polls):
        if poll:
            time.sleep(10)
        changed = rates.poll()
        # An unknown rate is null: it is not 0.
        known = [row for row in rates.rows if row["funding_rate_8h"] is not None and not row.get("stale")]
        known.sort(key=lambda row: row["funding_rate_8h"], reverse=True)
        print(f"{len(known)} contracts of {asset}" + ("" if changed else ", unchanged"))
        for row in known:
            print(f"{row['venue']:<14}{row['symbol']:<24}{row['funding_rate_8h'] * 100:>12f} % per 8 h")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
