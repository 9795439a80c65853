// The table of one asset's contracts, with every digit that the service wrote, and what a notional pays or receives.

import {payments} from './calculator.js';
import {$, element, explain, headings, orderedBy, time, unknown} from './dom.js';
import {basis, grouped, mostDecimals, padding, signed, span, until, utc} from './figures.js';
import {stepClass} from './scale.js';
import {exactRate, shortRate, withUnit} from './units.js';
import {kind} from './words.js';

const number = field => row => (row[field] === null ? null : Number(row[field]));
const word = field => row => row[field];
const paid = span => row => (row.paid[span] === null ? null : Number(row.paid[span]));
const apart = row => (row.mark_price === null || row.index_price === null ? null : Number(row.mark_price) / Number(row.index_price));

const BEFORE = [
    {key: 'exchange', title: 'Exchange', by: word('venue')},
    {key: 'symbol', title: 'Symbol', by: word('symbol')},
    {key: 'type', title: 'Type', by: word('contract_type')},
    {key: 'rate', title: '8-hour rate', rate: true, number: true, down: true, by: number('funding_rate_8h'), hint: 'part of the notional per 8 hours; longs pay shorts when positive'},
    {key: 'native', title: 'Own rate', rate: true, number: true, down: true, by: number('funding_rate'), hint: 'part of the notional per the contract’s own interval'},
    {key: 'interval', title: 'Interval', number: true, by: number('funding_interval_h'), hint: 'hours between two settlements of this contract'},
];
const PAYMENTS = [
    {key: 'pay', title: 'Payment a settlement', number: true, down: true, by: paid('settlement'), hint: 'own rate × notional, in the quote currency; + is received, − is paid'},
    {key: 'pay8h', title: 'Payment per 8 h', number: true, down: true, by: paid('eight'), hint: '8-hour rate × notional'},
    {key: 'payday', title: 'Payment a day', number: true, down: true, by: paid('day'), hint: '8-hour rate × 3 × notional, simple'},
];
const AFTER = [
    {key: 'year', title: 'Annualised', rate: true, number: true, down: true, by: number('funding_rate_annualised'), hint: '8-hour rate × 3 × 365, simple, hypothetical'},
    {key: 'kind', title: 'Kind', by: word('rate_kind'), hint: 'what the rate is at this exchange'},
    {key: 'next', title: 'Next settlement', number: true, by: number('next_funding_ms'), hint: 'as the exchange announces it'},
    {key: 'mark', title: 'Mark price', number: true, down: true, by: number('mark_price'), hint: 'in the quote currency, of as many units of the asset as Contract size shows'},
    {key: 'index', title: 'Index price', number: true, down: true, by: number('index_price')},
    {key: 'quote', title: 'Quote', by: word('quote')},
    {key: 'basis', title: 'Mark–index basis, %', number: true, down: true, by: apart, hint: 'mark less index, percent of the index; computed on this page'},
    {key: 'size', title: 'Contract size', number: true, by: number('price_scale'), hint: 'units of the asset that one price is of'},
    {key: 'age', title: 'Age', number: true, down: true, by: number('observed_at_ms'), hint: 'how long ago this contract was read'},
];
const NO_RATE = 'the exchange published no rate, or not the hours that it covers';

const cell = (content, className = 'number') => element('td', content, {class: className});
const name = row => `${row.venue} ${row.symbol}`;

/** A number of a column whose decimal points are below one another. */
function aligned(text, decimals, why, unit = '') {
    return cell(text === null ? unknown(why) : [text, element('span', padding(text, decimals), {'aria-hidden': 'true'}), unit && element('small', ` ${unit}`)]);
}

function signedAmount(text) {
    return text === null ? null : signed(grouped(text));
}

/** The table. */
export class ContractTable {
    #app;
    #table = $('asset-table');
    #columns = [];
    #notional = null;
    #marked = '';

    constructor(app) {
        this.#app = app;
    }

    /**
     * Shows contracts and returns them in the order that the address asks for.
     *
     * @param {object[]} rows
     * @param {URLSearchParams} options
     * @param {string|null} notional in the quote currency of each contract; null without one
     */
    draw(rows, options, notional) {
        this.#notional = notional;
        this.#columns = notional === null ? [...BEFORE, ...AFTER] : [...BEFORE, ...PAYMENTS, ...AFTER];
        const column = this.#columns.find(one => one.key === options.get('sort')) ?? this.#columns.find(one => one.key === 'rate');
        const down = (options.get('order') ?? (column.down ? 'down' : 'up')) === 'down';
        const known = notional === null ? rows : rows.map(row => ({...row, paid: payments(row, notional, options.get('side') ?? 'long')}));
        const ordered = orderedBy(known, column.by, column.key === 'age' ? !down : down);
        this.#head(column.key, down);
        this.#body(ordered);
        return ordered;
    }

    #head(key, down) {
        const titled = withUnit(this.#columns);
        explain($('asset-columns'), titled);
        headings(this.#table, titled, {key, down}, used => {
            const column = this.#columns.find(one => one.key === used);
            const next = used === key ? !down : column.down === true;
            this.#app.change({sort: used, order: next ? 'down' : 'up'});
        });
    }

    #body(rows) {
        const held = this.#table.contains(document.activeElement) && document.activeElement.dataset.id;
        const most = of => mostDecimals(rows.map(of));
        const decimals = {
            rate: most(row => row.funding_rate_8h && exactRate(row.funding_rate_8h)),
            own: most(row => row.funding_rate && exactRate(row.funding_rate)),
            mark: most(row => row.mark_price),
            index: most(row => row.index_price),
            paid: Object.fromEntries(['settlement', 'eight', 'day'].map(span => [span, most(row => row.paid?.[span])])),
        };
        this.#table.tBodies[0].replaceChildren(...rows.map(row => this.#row(row, decimals)));
        this.#rowOf(this.#marked)?.classList.add('marked');
        if (held) {
            this.#rowOf(held)?.focus({preventScroll: true});
        }
    }

    #row(row, decimals) {
        const now = this.#app.now();
        const {word: kindName, meaning} = kind(row.rate_kind);
        return element('tr', [
            element('th', this.#app.venueName(row.venue), {scope: 'row'}),
            cell(row.symbol, 'symbol'),
            cell(row.contract_type, row.contract_type === 'linear' ? 'quiet' : ''),
            rate(row, decimals.rate),
            aligned(row.funding_rate && exactRate(row.funding_rate), decimals.own, NO_RATE),
            cell(row.funding_interval_h === null ? unknown('the exchange did not publish its interval') : `${row.funding_interval_h} h`),
            ...(this.#notional === null ? [] : paymentCells(row, decimals.paid)),
            cell(row.funding_rate_annualised === null ? unknown('there is no 8-hour rate to extend') : shortRate(row.funding_rate_annualised, 2)),
            cell([kindName, element('span', `: ${meaning}`, {class: 'aside'})], ''),
            cell(row.next_funding_ms === null ? unknown('the exchange announces none')
                : [time(row.next_funding_ms, utc(row.next_funding_ms).slice(5)), element('small', ` ${until(row.next_funding_ms, now)}`)]),
            aligned(row.mark_price && grouped(row.mark_price), decimals.mark, 'the exchange published no mark price'),
            aligned(row.index_price && grouped(row.index_price), decimals.index, 'the exchange published no index price'),
            cell(row.quote, 'quiet'),
            cell(basis(row.mark_price, row.index_price) ?? unknown('a price is not known')),
            cell(grouped(row.price_scale), row.price_scale === '1' ? 'number quiet' : 'number'),
            cell([span(now - Number(row.observed_at_ms)), row.stale ? element('strong', ' stale', {class: 'warn'}) : ''].filter(Boolean)),
        ], {'data-id': name(row), class: row.stale ? 'stale' : null, tabindex: -1});
    }

    #rowOf(id) {
        return [...this.#table.tBodies[0].rows].find(one => one.dataset.id === id);
    }

    /** Shows the row of a contract. */
    mark(id) {
        this.#rowOf(this.#marked)?.classList.remove('marked');
        this.#marked = id;
        const row = this.#rowOf(id);
        row?.classList.add('marked');
        row?.scrollIntoView({block: 'center'});
        row?.focus({preventScroll: true});
    }
}

function rate(row, decimals) {
    if (row.funding_rate_8h === null) {
        return cell(unknown(NO_RATE));
    }
    const text = exactRate(row.funding_rate_8h);
    return cell([element('span', text, {class: `figure ${stepClass(Number(row.funding_rate_8h))}`}),
        element('span', padding(text, decimals), {'aria-hidden': 'true'})]);
}

function paymentCells(row, decimals) {
    const why = row.contract_type === 'quanto' ? 'a quanto contract has no notional in its quote currency' : NO_RATE;
    return ['settlement', 'eight', 'day'].map(span => aligned(signedAmount(row.paid[span]), decimals[span], why, row.quote));
}
