"""A bar for each contract of one asset, as SVG on standard output: plot.py BASE_URL ASSET. Uses the standard library only."""
import json
import sys
import urllib.request
from decimal import Decimal
from xml.sax.saxutils import escape

LINE, LEFT, WIDTH = 18, 220, 420


def main(base, asset):
    with urllib.request.urlopen(f"{base}/api/v1/latest?assets={asset}&venues=all", timeout=30) as response:
        document = json.load(response, parse_float=Decimal)
    rows = [row for row in document["rows"] if row["funding_rate_8h"] is not None]
    rows.sort(key=lambda row: row["funding_rate_8h"], reverse=True)
    largest = max((abs(row["funding_rate_8h"]) for row in rows), default=Decimal(0)) or Decimal(1)
    middle, scale = LEFT + WIDTH // 2, Decimal(WIDTH // 2) / largest
    height = LINE * (len(rows) + 2)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 120}" height="{height}" font-family="sans-serif" font-size="12">')
    source = document["meta"]["source"]
    print(f'<text x="8" y="{LINE - 4}">{escape(asset)}: funding rate, % per 8 hours ({escape(str(source))})</text>')
    for place, row in enumerate(rows, start=1):
        rate, y = row["funding_rate_8h"], LINE * place
        length = float(abs(rate) * scale)
        x = middle if rate >= 0 else middle - length
        colour = "#b4532a" if rate >= 0 else "#2a6ab4"
        print(f'<text x="8" y="{y + 13}">{escape(row["venue"] + " " + row["symbol"])}</text>')
        print(f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="{LINE - 6}" fill="{colour}"/>')
        print(f'<text x="{LEFT + WIDTH + 8}" y="{y + 13}">{rate * 100:f}</text>')
    print("</svg>")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
