// The rows of the latest list, in the form that the service writes: names once, each row an array, decimals as text with every digit.

import {orderedBy} from './tables.js';

/** The rows, with their columns taken out when they are needed. */
export class Rows {
    #rows;
    #columns = new Map();
    #numbers = new Map();

    /** Takes a response to `latestAddress`; where it has changes alone, the rows that it changes as well. */
    constructor({columns, rows, delta, gone}, before) {
        this.names = columns;
        this.#rows = delta ? this.#changed(rows, gone, before.#rows) : rows;
        this.count = this.#rows.length;
    }

    /** Every row after a change, in the order of the service: by exchange, then by symbol. */
    #changed(rows, gone, before) {
        const [venue, symbol] = ['venue', 'symbol'].map(name => this.names.indexOf(name));
        const all = new Map([...before, ...rows].map(row => [`${row[venue]} ${row[symbol]}`, row]));
        gone.forEach(one => all.delete(`${one.venue} ${one.symbol}`));
        return orderedBy(orderedBy([...all.values()], row => row[symbol]), row => row[venue]);
    }

    /** Every value of a column; null where it is not known. */
    column(name) {
        let values = this.#columns.get(name);
        if (!values) {
            const at = this.names.indexOf(name);
            values = this.#rows.map(row => row[at] ?? null);
            this.#columns.set(name, values);
        }
        return values;
    }

    /** A column as doubles, NaN where it is not known: to order and to colour by, never to be shown. */
    numbers(name) {
        let values = this.#numbers.get(name);
        if (!values) {
            values = Float64Array.from(this.column(name), value => (value === null ? NaN : Number(value)));
            this.#numbers.set(name, values);
        }
        return values;
    }

    /** One row by the names of its fields. */
    row(i) {
        return Object.fromEntries(this.names.map((name, at) => [name, this.#rows[i][at]]));
    }

    /** All rows that a test of their place takes. */
    select(test) {
        return this.#rows.flatMap((row, i) => (test(i) ? [this.row(i)] : []));
    }
}
