// A table with headings that sort. Only so many rows stand in the page; how many do not is said by whoever calls.

/** An element with its text or children, and attributes. */
export function element(name, content, attributes = {}) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined) {
            made.setAttribute(key, value);
        }
    }
    made.append(...[content ?? ''].flat());
    return made;
}

/** A cell for what is not known, and why. */
export function unknown(why) {
    return element('td', '–', {class: 'unknown', title: why, 'aria-label': `not known: ${why}`});
}

/**
 * Draws the headings.
 *
 * @param columns each with a title, whether it holds numbers, and a key if it sorts
 * @param sort the key and direction now; null where nothing sorts
 * @param sorted takes the key of a heading that was used
 */
export function head(table, columns, sort, sorted) {
    const focused = document.activeElement?.dataset?.key;
    const cells = columns.map(column => {
        const side = column.number ? 'number' : undefined;
        if (!column.key || !sort) {
            return element('th', column.title, {scope: 'col', class: side, title: column.hint});
        }
        const button = element('button', column.title, {type: 'button', 'data-key': column.key, title: column.hint});
        button.addEventListener('click', () => sorted(column.key));
        const active = sort.key === column.key;
        return element('th', button, {
            scope: 'col',
            class: side,
            'aria-sort': active ? (sort.down ? 'descending' : 'ascending') : undefined,
        });
    });
    table.tHead.replaceChildren(element('tr', cells));
    if (focused) {
        table.tHead.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    }
}

/** Replaces the body. */
export function body(table, rows) {
    table.tBodies[0].replaceChildren(...rows);
}

/** Orders rows by what a function finds in each; what has nothing to be ordered by comes last either way. */
export function ordered(rows, by, down, ties) {
    const keyed = rows.map(row => [by(row), row]);
    keyed.sort(([a, x], [b, y]) => {
        if (a === null || b === null) {
            return a === b ? ties(x, y) : a === null ? 1 : -1;
        }
        const order = a < b ? -1 : a > b ? 1 : 0;
        return order === 0 ? ties(x, y) : down ? -order : order;
    });
    return keyed.map(([, row]) => row);
}
