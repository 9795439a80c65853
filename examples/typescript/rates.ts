// The newest funding rates of one asset: node rates.ts BASE_URL ASSET. Needs no package.
type Row = {
  venue: string;
  symbol: string;
  /** Fraction of notional per 8 hours as the digits that were sent; null where it is unknown. */
  funding_rate_8h: string | null;
  stale?: boolean;
};

/** Fields whose digits must not be rounded to a double. */
const DECIMALS = new Set(["funding_rate_8h", "funding_rate", "funding_rate_annualised", "funding_cap_8h", "funding_floor_8h", "mark_price", "index_price"]);

async function fetchRows(url: string): Promise<Row[]> {
  for (;;) {
    const response = await fetch(url);
    if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get("Retry-After") ?? 5);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      continue;
    }
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    // The third argument of a reviver has the source text of a number.
    const exact = (key: string, value: unknown, context?: { source?: string }) =>
      DECIMALS.has(key) && typeof value === "number" ? context?.source ?? String(value) : value;
    return JSON.parse(await response.text(), exact as (key: string, value: unknown) => unknown).rows;
  }
}

const [base, asset] = process.argv.slice(2);
const rows = (await fetchRows(`${base}/api/v1/latest?assets=${asset}&venues=all`)).filter(
  (row) => row.funding_rate_8h !== null && !row.stale,
);
console.log(`${rows.length} contracts of ${asset}`);
for (const row of rows) console.log(row.venue.padEnd(14), row.symbol.padEnd(24), row.funding_rate_8h);
