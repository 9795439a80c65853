// The rows of the latest list as columns. A worker parses the list and hands over one text for each column: it takes the page a few
// milliseconds to receive 15,000 rows so, and some hundred as that many objects.

export const COLUMNS = [
    'venue', 'symbol', 'asset', 'quote', 'contract_type', 'asset_class', 'dex', 'funding_rate_8h', 'funding_interval_h',
    'funding_interval_source', 'funding_rate', 'rate_kind', 'funding_rate_annualised', 'funding_cap_8h', 'funding_floor_8h', 'next_funding_ms', 'mark_price', 'index_price', 'price_scale',
    'venue_time_ms', 'observed_at_ms', 'stale',
];
const BETWEEN = '\u001f';
const NULL = '\u0000';

/** A cell as text: what is null stays apart from what is empty, and no value can hold what stands between two. */
function cell(value) {
    return value === null || value === undefined ? NULL : String(value).replaceAll(BETWEEN, ' ').replaceAll(NULL, ' ');
}

/** Rows as one text for each column. */
export function pack(rows) {
    const columns = {};
    for (const name of COLUMNS) {
        columns[name] = rows.map(row => cell(row[name])).join(BETWEEN);
    }
    return {count: rows.length, columns};
}

/** The rows again, taken apart column by column when one is asked for. */
export class Rows {
    #packed;
    #columns = new Map();
    #numbers = new Map();

    /** @param {{count: number, columns: Object<string, string>}} packed what {@link pack} made */
    constructor(packed) {
        this.#packed = packed;
        this.count = packed.count;
    }

    /** Every value of a column, as text; null where it is not known. */
    column(name) {
        let values = this.#columns.get(name);
        if (!values) {
            values = this.count === 0 ? [] : this.#packed.columns[name].split(BETWEEN);
            for (let i = 0; i < values.length; i++) {
                if (values[i] === NULL) {
                    values[i] = null;
                }
            }
            this.#columns.set(name, values);
            delete this.#packed.columns[name];
        }
        return values;
    }

    /** A column as doubles, NaN where it is not known: to order and to colour by, never to be shown. */
    numbers(name) {
        let values = this.#numbers.get(name);
        if (!values) {
            values = Float64Array.from(this.column(name), text => (text === null ? NaN : Number(text)));
            this.#numbers.set(name, values);
        }
        return values;
    }

    /** One row as the service wrote it, every number as text. */
    row(i) {
        return Object.fromEntries(COLUMNS.map(name => [name, name === 'stale' ? this.column(name)[i] === 'true' : this.column(name)[i]]));
    }

    /** All rows that a test of their place takes. */
    select(test) {
        const found = [];
        for (let i = 0; i < this.count; i++) {
            if (test(i)) {
                found.push(this.row(i));
            }
        }
        return found;
    }
}
