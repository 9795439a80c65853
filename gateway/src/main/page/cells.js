// The cells of the matrix: what an asset shows at its exchanges, in two lines.

import {spread} from './coins.js';
import {element, put} from './dom.js';
import {shortSpan, until, UNKNOWN} from './figures.js';
import {stepClass} from './scale.js';
import {shortRate} from './units.js';
import {kind} from './words.js';

/** What a cell can show, and what has to be known to read it. */
export const SHOWN = {
    '8h': {field: 'funding_rate_8h', digits: 4, caveat: 'per 8 hours, already converted: these rates can be compared.'},
    native: {field: 'funding_rate', digits: 4, caveat: 'per the contract’s own interval: not comparable where intervals differ. Colour and order stay those of the 8-hour rate.'},
    year: {field: 'funding_rate_annualised', digits: 2, caveat: 'per 365 days: the 8-hour rate × 3 × 365, simple and hypothetical. Neither a forecast nor a return.'},
};

/** The cells of a row: the asset, and one for each further column. */
export function cellsOf(columns) {
    return Array.from({length: columns}, (none, k) => (k === 0
        ? element('th', [element('a', '', {tabindex: -1}), element('small', '')], {scope: 'row', role: 'rowheader', class: 'asset', tabindex: -1, 'aria-colindex': 1})
        : element('td', '', {role: 'gridcell', tabindex: -1, 'aria-colindex': k + 1})));
}

/** The left of an asset's row: its name, how many of these exchanges list it, spread, highest, lowest and the next settlement. */
export function coinCells(app, rows, row, coin, exchanges) {
    const [link, listed] = row.cells[0].children;
    put(link, coin.asset);
    link.setAttribute('href', app.address('asset', {}, coin.asset));
    put(listed, `${coin.byVenue.size} of ${exchanges}`);
    row.cells[0].classList.toggle('watched', app.isWatched(coin.asset));
    const apart = spread(coin, rows);
    set(row.cells[1], 'spread', apart === null ? UNKNOWN : shortRate(apart, 4).replace('+', ''), '');
    edge(app, rows, row.cells[2], coin.high);
    edge(app, rows, row.cells[3], coin.low);
    next(app, rows, row.cells[4], coin.next);
}

function edge(app, rows, cell, i) {
    const rate = i < 0 ? null : rows.column('funding_rate_8h')[i];
    set(cell, 'edge', rate === null ? UNKNOWN : shortRate(rate, 4), i < 0 ? '' : app.venueName(rows.column('venue')[i]));
}

function next(app, rows, cell, i) {
    set(cell, 'edge', i < 0 ? UNKNOWN : until(rows.column('next_funding_ms')[i], app.now()), i < 0 ? '' : app.venueName(rows.column('venue')[i]));
}

/** What an asset shows at an exchange: the rate, and in small its interval, kind and age, and how many contracts there are beside it. */
export function venueCell(app, rows, cell, coin, column, {field, digits}) {
    const beside = coin.byVenue.get(column.venue);
    if (!beside) {
        set(cell, column.absent ? 'cell absent' : 'cell empty', '', '');
        return;
    }
    const i = beside[0];
    const rate = rows.column(field)[i];
    const hours = rows.column('funding_interval_h')[i];
    const stale = rows.column('stale')[i] === true;
    const {short} = kind(rows.column('rate_kind')[i]);
    const age = shortSpan(app.now() - rows.numbers('observed_at_ms')[i]);
    const more = beside.length > 1 ? ` +${beside.length - 1}` : '';
    set(cell,
        `cell ${stepClass(rows.numbers('funding_rate_8h')[i])}${stale ? ' stale' : ''}`,
        rate === null ? UNKNOWN : shortRate(rate, digits),
        `${hours === null ? UNKNOWN : `${hours}h`} ${short} ${stale ? 'stale ' : ''}${age}${more}`);
}

function set(cell, className, text, small) {
    if (cell.className !== className) {
        cell.className = className;
    }
    if (cell.firstElementChild) {
        put(cell.firstElementChild, text);
        put(cell.lastElementChild, small);
    } else if (text) {
        cell.append(element('b', text), element('small', small));
    }
}
