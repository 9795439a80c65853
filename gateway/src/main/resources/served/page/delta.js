// Applies what changed in a list to the list that is known.

const key = row => `${row.venue}\u001f${row.symbol}`;
const before = (a, b) => a < b ? -1 : a > b ? 1 : 0;

/**
 * The rows of the whole list, sorted by venue and symbol as the service sorts them.
 *
 * @param {{tag: string, rows: object[]}} known the list that the changes follow
 * @param {{since: string, rows: object[], gone: object[]}} changes a response to `since`
 */
export function applied(known, changes) {
    if (known.tag !== changes.since) {
        throw new Error('the changes follow another list');
    }
    const rows = new Map(known.rows.map(row => [key(row), row]));
    changes.gone.forEach(row => rows.delete(key(row)));
    changes.rows.forEach(row => rows.set(key(row), row));
    return [...rows.values()].sort((a, b) => before(a.venue, b.venue) || before(a.symbol, b.symbol));
}
