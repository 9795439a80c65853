// The ranking of pairs: what the funding difference added up to over 30 days, leg by leg.

import {download, flat} from './csv.js';
import {quotient, times} from './decimal.js';
import {$, button, element, put, unknown} from './dom.js';
import {grouped, stamp, until, utc, UNKNOWN} from './figures.js';
import {pairDetails} from './pair-details.js';
import {cell, drawTable} from './tables.js';
import {shortRate} from './units.js';
import {PAIR_REASONS, plainWord} from './words.js';

const FEW = 100;
const MANY = 1000;

const leg = (app, {venue, symbol}) => [element('span', app.venueName(venue), {class: 'venue'}), element('span', symbol, {class: 'symbol'})];
const hours = ({funding_interval_h: interval}) => (interval === null ? UNKNOWN : `${interval} h`);
const known = ({settlements, expected}) => `${grouped(settlements)} of ${grouped(expected)}`;
const both = (a, b) => (a === b ? a : `${a} / ${b}`);
const price = value => (value === null ? unknown('no mark price') : grouped(value));

const ASSET = {title: 'Asset', cell: (pair, {open}) => element('th', button(pair.asset, () => {},
    {'data-pair': pairName(pair), 'aria-expanded': String(open === pairName(pair)), class: 'open'}), {scope: 'row'})};
const SHORT = {title: 'Short leg', hint: 'received the difference', cell: (pair, {app}) => leg(app, pair.short)};
const LONG = {title: 'Long leg', cell: (pair, {app}) => leg(app, pair.long)};
const NOW = {title: 'Now per 8 h', rate: true, number: true, hint: 'the short leg’s 8-hour rate less the long leg’s', cell: now};
const SETTLEMENTS = {title: 'Settlements', number: true, hint: 'known of expected, short leg / long leg', cell: ({short, long}) => both(known(short), known(long))};

const COLUMNS = {
    rows: [
        {title: 'Rank', number: true, cell: pair => cell(pair.rank, 'number')},
        ASSET,
        {title: '30 days', rate: true, number: true, hint: 'the short leg’s sum less the long leg’s, part of the notional', cell: pair => element('b', shortRate(pair.funding_difference_30d, 4))},
        SHORT,
        LONG,
        {title: 'Sums of the legs', rate: true, tone: 'bars', hint: 'above the short leg’s, below the long leg’s; each pair has its own scale',
            cell: ({short, long}) => bars(short.funding_sum_30d, long.funding_sum_30d)},
        {title: 'A year', rate: true, number: true, tone: 'quiet', hint: '30 days × 365 / 30, simple, hypothetical',
            cell: pair => shortRate(quotient(times(pair.funding_difference_30d, '365'), '30', 12), 2)},
        {title: 'Positive days', number: true, hint: 'days of 30 on which the difference was above 0',
            cell: pair => (pair.positive_days === null ? unknown('not counted') : `${pair.positive_days} of ${pair.days}`)},
        NOW,
        {title: 'Price ratio', number: true, hint: 'mark price of one unit of the asset, short leg / long leg', cell: pair => pair.price_ratio ?? unknown('a leg has no mark price')},
        {title: 'Intervals', number: true, hint: 'hours between settlements, short leg / long leg', cell: ({short, long}) => both(hours(short), hours(long))},
        {title: 'Next settlement', hint: 'short leg / long leg, as announced', cell: due},
        SETTLEMENTS,
        {title: 'Estimated', number: true, hint: 'settlements known from the last raw quote before them, short leg / long leg',
            cell: ({short, long}) => cell(`${grouped(short.estimated)} / ${grouped(long.estimated)}`, short.estimated + long.estimated === 0 ? 'number quiet' : 'number')},
    ],
    incomplete: [
        ASSET, SHORT, LONG,
        {title: 'Whole days', number: true, hint: 'of 30 that both legs are covered for', cell: pair => `${pair.days} of 30`},
        {title: 'Sum', rate: true, number: true, hint: 'over those days only, never stretched to 30',
            cell: pair => (pair.funding_difference === null ? unknown('no day is common to both legs') : shortRate(pair.funding_difference, 4))},
        {title: 'Reason', cell: pair => [element('b', plainWord(pair.reason)), ` ${PAIR_REASONS[pair.reason] ?? ''}`]},
        SETTLEMENTS,
        NOW,
    ],
    refused: [
        {title: 'Asset', cell: entry => entry.asset},
        {title: 'One contract', cell: (entry, {app}) => leg(app, {venue: entry.venue_a, symbol: entry.symbol_a})},
        {title: 'Price of one unit', number: true, cell: entry => price(entry.price_a)},
        {title: 'The other', cell: (entry, {app}) => leg(app, {venue: entry.venue_b, symbol: entry.symbol_b})},
        {title: 'Price of one unit', number: true, cell: entry => price(entry.price_b)},
        {title: 'Reason', cell: entry => plainWord(entry.reason)},
    ],
};

/** The address to request for a view of the pairs. */
export function pairsAddress(options) {
    const [one, other, asset] = ['venue', 'with', 'asset'].map(name => options.get(name) ?? '');
    const query = ['numbers=text', `limit=${limit(options)}`];
    if (asset) {
        query.push(`assets=${encodeURIComponent(asset)}`);
    }
    const venues = one && other ? [one, other].sort().join(',') : options.get('scope');
    if (venues) {
        query.push(`venues=${venues.split(',').map(encodeURIComponent).join(',')}`);
    }
    return `/api/v1/carry?${query.join('&')}`;
}

/** One exchange is looked for among the pairs that were read: the service takes the two of a pair, or all. */
function limit(options) {
    return options.get('more') || Boolean(options.get('venue')) !== Boolean(options.get('with')) ? MANY : FEW;
}

/** What an address calls a pair. */
export function pairName(pair) {
    return `${pair.short.venue}:${pair.short.symbol}~${pair.long.venue}:${pair.long.symbol}`;
}

const venuesOf = entry => (entry.short ? [entry.short.venue, entry.long.venue] : [entry.venue_a, entry.venue_b]);

export class Pairs {
    #app;
    #rates = new Map();
    #shown = null;

    constructor(app) {
        this.#app = app;
        $('pairs-csv').addEventListener('click', () => this.#save());
        $('pairs-table').addEventListener('click', event => {
            const name = event.target.closest('button[data-pair]')?.dataset.pair;
            if (name !== undefined) {
                this.#app.change({pair: this.options.get('pair') === name ? '' : name});
            }
        });
    }

    /** Shows the response; null while there is none for this view. */
    draw(options, carry) {
        this.options = options;
        this.#controls(options, carry);
        $('pairs-body').hidden = !carry;
        if (!carry) {
            return;
        }
        this.#next();
        const which = options.get('list') ?? 'rows';
        const wanted = options.get('venue') || options.get('with');
        const all = carry[which];
        const shown = wanted && !(options.get('venue') && options.get('with')) ? all.filter(entry => venuesOf(entry).includes(wanted)) : all;
        this.#shown = {which, entries: shown, generatedAt: carry.meta.generated_at_ms};
        this.#words(options, carry, which, all, shown);
        const table = $('pairs-table');
        table.className = which;
        const open = options.get('pair');
        const focused = table.contains(document.activeElement) ? document.activeElement.dataset.pair : undefined;
        drawTable(table, $('pairs-columns'), COLUMNS[which], shown, {
            options, about: {app: this.#app, open, rates: this.#rates},
            attributes: entry => ({class: entry.short && pairName(entry) === open ? 'expanded' : null}),
        });
        const opened = shown.findIndex(entry => entry.short && pairName(entry) === open);
        if (opened >= 0) {
            table.tBodies[0].rows[opened].after(element('tr', element('td', pairDetails(this.#app, shown[opened], carry, this.#rates),
                {colspan: COLUMNS[which].length}), {class: 'opened'}));
        }
        if (focused !== undefined) {
            table.querySelector(`button[data-pair="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
        }
    }

    /** Gives the reader the pairs that are shown as a file, with every field. */
    #save() {
        if (this.#shown) {
            const {which, entries, generatedAt} = this.#shown;
            const rows = entries.map(flat);
            download(`pairs-${which === 'rows' ? 'ranked' : which}-${stamp(generatedAt)}.csv`, [...new Set(rows.flatMap(Object.keys))], rows);
        }
    }

    #controls(options, carry) {
        const value = (id, name) => {
            if (document.activeElement !== $(id)) {
                $(id).value = options.get(name) ?? '';
            }
        };
        value('pairs-asset', 'asset');
        value('pairs-venue', 'venue');
        value('pairs-with', 'with');
        for (const tab of document.querySelectorAll('#pairs-lists a')) {
            const list = tab.dataset.list;
            tab.href = this.#app.address('pairs', {...Object.fromEntries(options), list: list === 'rows' ? '' : list, pair: ''});
            tab.setAttribute('aria-current', String(list === (options.get('list') ?? 'rows')));
            const count = carry?.[{rows: 'complete_count', incomplete: 'incomplete_count', refused: 'refused_count'}[list]];
            put(tab.querySelector('b'), count === undefined ? '' : grouped(count));
        }
    }

    /** The next settlement of each leg is in the list of rates. */
    #next() {
        this.#rates.clear();
        const rows = this.#app.ratesOf(this.options);
        if (rows) {
            const [venue, symbol, next] = ['venue', 'symbol', 'next_funding_ms'].map(name => rows.column(name));
            for (let i = 0; i < rows.count; i++) {
                this.#rates.set(`${venue[i]} ${symbol[i]}`, next[i]);
            }
        }
    }

    #words(options, carry, which, all, shown) {
        const outside = Number(carry[{rows: 'complete_outside_scope', incomplete: 'incomplete_outside_scope', refused: 'refused_outside_scope'}[which]]);
        const total = Number(carry[{rows: 'complete_count', incomplete: 'incomplete_count', refused: 'refused_count'}[which]]);
        const why = shown.length > 0 ? '' : (carry.meta.missing.values ?? []).filter(one => one.field === which).map(one => one.reason).join('; ');
        put($('pairs-window'), (carry.window_end_ms === null ? UNKNOWN : `${utc(carry.window_start_ms)} to ${utc(carry.window_end_ms)}`)
            + (carry.provisional ? `; provisional: settled history ${carry.settled_history_contracts === null ? 'is still being read' : `of ${grouped(carry.settled_history_contracts_read)} of ${grouped(carry.settled_history_contracts)} contracts is read`}` : ''));
        $('pairs-count').replaceChildren(
            shown.length === all.length
                ? `${grouped(shown.length)} of ${grouped(total)} shown.`
                : `${grouped(shown.length)} with a leg at ${this.#app.venueName(options.get('venue') || options.get('with'))}, among the first ${grouped(all.length)} of ${grouped(total)}.`,
            ...(why ? [` None: ${why}.`] : []),
            ...(total > all.length && limit(options) < MANY ? [' ', button(`Show ${grouped(Math.min(MANY, total))}`, () => this.#app.change({more: 1}))] : []),
            ...(outside > 0 && !(options.get('venue') && options.get('with'))
                ? [` ${grouped(outside)} more at exchanges outside this scope. `, button('All exchanges', () => this.#app.change({scope: 'all'}))] : []));
    }
}

function now(pair) {
    if (pair.current_difference_8h === null) {
        return unknown('a leg has no 8-hour rate now');
    }
    const agrees = pair.current_direction_agrees;
    return [shortRate(pair.current_difference_8h, 4), agrees !== null && element('small', agrees ? ' same way' : ' turned', {
        class: agrees ? 'quiet' : 'warn',
        title: agrees ? 'the same sign as the sum' : 'not the sign of the sum',
    })];
}

function due({short, long}, {app, rates}) {
    const words = ({venue, symbol}) => {
        const at = rates.get(`${venue} ${symbol}`) ?? null;
        return at === null ? UNKNOWN : until(at, app.now());
    };
    return both(words(short), words(long));
}

/** Two bars from one zero; their lengths are for the eye, the rates are next to them. */
function bars(short, long) {
    const widest = Math.max(1e-12, ...[short, long].map(sum => Math.abs(Number(sum))));
    const bar = (sum, side) => {
        const value = Number(sum);
        const length = Math.abs(value) / widest * 50;
        const line = element('span', '', {class: `sum-bar ${side}`});
        line.style.left = `${value < 0 ? 50 - length : 50}%`;
        line.style.width = `${length}%`;
        return element('span', [element('span', line, {class: 'track', 'aria-hidden': 'true'}),
            element('span', [element('span', `${side} `, {class: 'aside'}), shortRate(sum, 4)], {class: 'sum'})], {class: 'leg'});
    };
    return [bar(short, 'short'), bar(long, 'long')];
}
