// The table of one asset's contracts, with every digit that the service wrote, and what a notional pays or receives.

import {payments} from './calculator.js';
import {$, element, time, unknown} from './dom.js';
import {basis, grouped, mostDecimals, padding, signed, span, until, utc} from './figures.js';
import {stepClass} from './scale.js';
import {cell, drawTable, number} from './tables.js';
import {exactRate, shortRate} from './units.js';
import {USUAL} from './usual.js';
import {contractLink} from './venue-pages.js';
import {kind} from './words.js';

const NO_RATE = 'the exchange published no rate, or not the hours that it covers';
const idOf = row => `${row.venue} ${row.symbol}`;
const rateText = fraction => fraction && exactRate(fraction);
const paid = span => row => (row.paid[span] === null ? null : Number(row.paid[span]));
const apart = row => (row.mark_price === null || row.index_price === null ? null : Number(row.mark_price) / Number(row.index_price));

/** A number of a column whose decimal points are below one another. */
function aligned(text, decimals, why, unit = '') {
    return text === null ? unknown(why) : [text, element('span', padding(text, decimals), {'aria-hidden': 'true'}), unit && element('small', ` ${unit}`)];
}

const payment = (key, title, span, hint) => ({key, title, number: true, down: true, by: paid(span), hint,
    cell: (row, {decimals}) => aligned(row.paid[span] && signed(grouped(row.paid[span])), decimals[span],
        row.contract_type === 'quanto' ? 'a quanto contract has no notional in its quote currency' : NO_RATE, row.quote)});

const price = (key, title, field, hint) => ({key, title, number: true, down: true, by: number(field), hint,
    cell: (row, {decimals}) => aligned(row[field] && grouped(row[field]), decimals[field], `the exchange published no ${title.toLowerCase()}`)});

const BEFORE = [
    {key: 'exchange', title: 'Exchange', by: row => row.venue, cell: (row, {app}) => app.venueName(row.venue)},
    {key: 'symbol', title: 'Symbol', tone: 'symbol', by: row => row.symbol, cell: contractLink},
    {key: 'type', title: 'Type', by: row => row.contract_type, cell: row => cell(row.contract_type, row.contract_type === 'linear' ? 'quiet' : null)},
    {key: 'rate', title: '8-hour rate', rate: true, number: true, down: true, by: number('funding_rate_8h'), hint: 'part of the notional per 8 hours; longs pay shorts when positive',
        cell: (row, {decimals}) => (row.funding_rate_8h === null ? unknown(NO_RATE)
            : [element('span', rateText(row.funding_rate_8h), {class: `figure ${stepClass(Number(row.funding_rate_8h))}`}),
                element('span', padding(rateText(row.funding_rate_8h), decimals.funding_rate_8h), {'aria-hidden': 'true'})])},
    {key: 'native', title: 'Own rate', rate: true, number: true, down: true, by: number('funding_rate'), hint: 'part of the notional per the contract’s own interval',
        cell: (row, {decimals}) => aligned(rateText(row.funding_rate), decimals.funding_rate, NO_RATE)},
    {key: 'interval', title: 'Interval', number: true, by: number('funding_interval_h'), hint: 'hours between two settlements of this contract',
        cell: row => (row.funding_interval_h === null ? unknown('the exchange did not publish its interval') : `${row.funding_interval_h} h`)},
];
const PAYMENTS = [
    payment('pay', 'Payment a settlement', 'settlement', 'own rate × notional, in the quote currency; + is received, − is paid'),
    payment('pay8h', 'Payment per 8 h', 'eight', '8-hour rate × notional'),
    payment('payday', 'Payment a day', 'day', '8-hour rate × 3 × notional, simple'),
];
const AFTER = [
    {key: 'year', title: 'Annualised', rate: true, number: true, down: true, by: number('funding_rate_annualised'), hint: '8-hour rate × 3 × 365, simple, hypothetical',
        cell: row => (row.funding_rate_annualised === null ? unknown('there is no 8-hour rate to extend') : shortRate(row.funding_rate_annualised, 2))},
    {key: 'kind', title: 'Kind', by: row => row.rate_kind, hint: 'what the rate is at this exchange',
        cell: row => [kind(row.rate_kind).word, element('span', `: ${kind(row.rate_kind).meaning}`, {class: 'aside'})]},
    {key: 'next', title: 'Next settlement', number: true, by: number('next_funding_ms'), hint: 'as the exchange announces it',
        cell: (row, {app}) => (row.next_funding_ms === null ? unknown('the exchange announces none')
            : [time(row.next_funding_ms, utc(row.next_funding_ms).slice(5)), element('small', ` ${until(row.next_funding_ms, app.now())}`)])},
    price('mark', 'Mark price', 'mark_price', 'in the quote currency, of as many units of the asset as Contract size shows'),
    price('index', 'Index price', 'index_price'),
    {key: 'quote', title: 'Quote', tone: 'quiet', by: row => row.quote, cell: row => row.quote},
    {key: 'basis', title: 'Mark–index basis, %', number: true, down: true, by: apart, hint: 'mark less index, percent of the index; computed on this page',
        cell: row => basis(row.mark_price, row.index_price) ?? unknown('a price is not known')},
    {key: 'size', title: 'Contract size', number: true, by: number('price_scale'), hint: 'units of the asset that one price is of',
        cell: row => cell(grouped(row.price_scale), row.price_scale === '1' ? 'number quiet' : 'number')},
    {key: 'age', title: 'Age', number: true, down: true, by: row => -row.observed_at_ms, hint: 'how long ago this contract was read',
        cell: (row, {app}) => [span(app.now() - row.observed_at_ms), row.stale && element('strong', ' stale', {class: 'warn'})]},
];

export class ContractTable {
    #app;
    #table = $('asset-table');
    #marked = '';

    constructor(app) {
        this.#app = app;
    }

    /**
     * Shows contracts and returns them in the order that the address asks for; `notional` is null without one, and `usual` has the legs
     * with percentiles by contract.
     */
    draw(rows, options, notional, usual) {
        const known = rows.map(row => ({...row, usual: usual.get(idOf(row)) ?? null, paid: notional && payments(row, notional, options.get('side') ?? 'long')}));
        const columns = [...BEFORE, ...(usual.size > 0 ? [USUAL] : []), ...(notional === null ? [] : PAYMENTS), ...AFTER];
        const held = this.#table.contains(document.activeElement) && document.activeElement.dataset.id;
        const most = of => mostDecimals(known.map(of));
        const decimals = {
            ...Object.fromEntries(['funding_rate_8h', 'funding_rate'].map(field => [field, most(row => rateText(row[field]))])),
            ...Object.fromEntries(['mark_price', 'index_price'].map(field => [field, most(row => row[field])])),
            ...Object.fromEntries(['settlement', 'eight', 'day'].map(span => [span, most(row => row.paid?.[span])])),
        };
        const ordered = drawTable(this.#table, $('asset-columns'), columns, known, {
            options, usual: 'rate', change: to => this.#app.change(to), about: {app: this.#app, decimals},
            attributes: row => ({'data-id': idOf(row), class: row.stale ? 'stale' : null, tabindex: -1}),
        });
        this.#rowOf(this.#marked)?.classList.add('marked');
        if (held) {
            this.#rowOf(held)?.focus({preventScroll: true});
        }
        return ordered;
    }

    #rowOf(id) {
        return [...this.#table.tBodies[0].rows].find(one => one.dataset.id === id);
    }

    mark(id) {
        this.#rowOf(this.#marked)?.classList.remove('marked');
        this.#marked = id;
        const row = this.#rowOf(id);
        row?.classList.add('marked');
        row?.scrollIntoView({block: 'center'});
        row?.focus({preventScroll: true});
    }
}
