// One coin: every contract on one axis, what lies between them now, when they settle, and the table.

import {coins} from './coins.js';
import {csv, download} from './csv.js';
import {minus, proportion, quotient} from './decimal.js';
import {$, element, explain, headings, orderedBy, put, time, unknown} from './dom.js';
import {basis, exactPercent, grouped, mostDecimals, padding, percent, span, until, utc} from './figures.js';
import {COLUMNS as FIELDS} from './rows.js';
import {stepClass} from './scale.js';
import {strip} from './strip.js';
import {timeline} from './timeline.js';
import {kind} from './words.js';

const number = field => row => (row[field] === null ? null : Number(row[field]));
const word = field => row => row[field];
const apart = row => (row.mark_price === null || row.index_price === null ? null : Number(row.mark_price) / Number(row.index_price));

const COLUMNS = [
    {key: 'exchange', title: 'Exchange', by: word('venue')},
    {key: 'symbol', title: 'Symbol', by: word('symbol')},
    {key: 'type', title: 'Type', by: word('contract_type')},
    {key: 'rate', title: '8-hour rate, %', number: true, down: true, by: number('funding_rate_8h'), hint: 'percent of notional per 8 hours; longs pay shorts when positive'},
    {key: 'native', title: 'Own rate, %', number: true, down: true, by: number('funding_rate'), hint: 'percent per the contract’s own interval'},
    {key: 'interval', title: 'Interval', number: true, by: number('funding_interval_h'), hint: 'hours between two settlements of this contract'},
    {key: 'year', title: 'Annualised, %', number: true, down: true, by: number('funding_rate_annualised'), hint: '8-hour rate × 3 × 365, simple, hypothetical'},
    {key: 'kind', title: 'Kind', by: word('rate_kind'), hint: 'what the figure stands for at this exchange'},
    {key: 'next', title: 'Next funding', number: true, by: number('next_funding_ms'), hint: 'as the exchange announces it'},
    {key: 'mark', title: 'Mark price', number: true, down: true, by: number('mark_price'), hint: 'in the quote currency, for as many coins as Contract size says'},
    {key: 'index', title: 'Index price', number: true, down: true, by: number('index_price')},
    {key: 'quote', title: 'Quote', by: word('quote')},
    {key: 'basis', title: 'Basis, %', number: true, down: true, by: apart, hint: 'mark less index, percent of the index; computed on this page'},
    {key: 'size', title: 'Contract size', number: true, by: number('price_scale'), hint: 'coins that one price is of'},
    {key: 'age', title: 'Age', number: true, down: true, by: number('observed_at_ms'), hint: 'how long ago this contract was read'},
];
const TEXTS = new Set(['venue', 'symbol', 'asset', 'quote', 'contract_type', 'funding_interval_source', 'rate_kind', 'stale']);

/** The view. */
export class Asset {
    #app;
    #shown = [];

    constructor(app) {
        this.#app = app;
        explain($('asset-columns'), COLUMNS);
        $('asset-csv').addEventListener('click', () => download(`${this.asset}-funding.csv`, csv(FIELDS, this.#shown, TEXTS)));
        $('asset-watch').addEventListener('click', () => this.#app.watch(this.asset));
        $('asset-strip').addEventListener('click', event => this.#mark(event.target.closest('[data-id]')?.dataset.id));
        addEventListener('resize', () => this.#shown.length > 0 && !$('asset').hidden && this.#drawings());
    }

    /**
     * Shows a coin.
     *
     * @param {string} asset its name, as the address has it
     * @param {object|null} list the answer that names it, or a list that holds it; null while neither is there
     */
    draw(asset, list, options) {
        this.asset = asset;
        put($('asset-name'), asset);
        $('asset-pairs').href = this.#app.address('pairs', {asset});
        this.watching();
        $('asset-body').hidden = !list;
        $('asset-none').hidden = true;
        if (!list) {
            return;
        }
        const upper = asset.toUpperCase();
        const names = list.rows.column('asset');
        const rows = list.rows.select(i => names[i].toUpperCase() === upper);
        this.#coin = coins(list.rows, i => names[i].toUpperCase() === upper).values().next().value;
        this.#shown = [];
        this.#list = list;
        this.#none(rows, list);
        if (rows.length > 0) {
            // As the service writes it, however the address has it.
            this.asset = this.#coin.asset;
            put($('asset-name'), this.asset);
            const key = COLUMNS.some(column => column.key === options.get('sort')) ? options.get('sort') : 'rate';
            const column = COLUMNS.find(one => one.key === key);
            const down = (options.get('order') ?? (column.down ? 'down' : 'up')) === 'down';
            this.#shown = orderedBy(rows, column.by, key === 'age' ? !down : down);
            this.#summary(rows);
            this.#drawings();
            this.#table(key, down);
            this.watching();
        }
    }

    #coin;
    #list;

    /** Whether the coin is on the watch-list. */
    watching() {
        const on = this.#app.isWatched(this.asset);
        put($('asset-watch'), on ? '★ On the watch-list' : '☆ Watch');
        $('asset-watch').setAttribute('aria-pressed', on);
    }

    #none(rows, list) {
        $('asset-body').hidden = rows.length === 0;
        $('asset-none').hidden = rows.length > 0;
        const outside = list.meta.scope.outside.length;
        put($('asset-none'), `No contract of ${this.asset} at ${outside === 0 ? `any of the ${list.meta.coverage || list.meta.venues_listed} exchanges observed` : 'the exchanges of this list'} now. Names are the coin’s own, such as BTC; prefixes of contract sizes (1000PEPE) are left out.`);
    }

    #summary(rows) {
        const coin = this.#coin;
        const all = this.#list.rows;
        const at = i => [element('b', `${exactPercent(all.column('funding_rate_8h')[i])} %`, {class: stepClass(all.numbers('funding_rate_8h')[i])}),
            element('span', `${this.#app.venueName(all.column('venue')[i])} ${all.column('symbol')[i]}`)];
        const none = [element('b', '–'), element('span', 'no fresh rate of a linear contract')];
        const spread = coin.spread(all);
        const missing = this.#list.meta.missing.venues.length;
        const tile = (name, parts) => element('div', [element('dt', name), element('dd', parts)]);
        $('asset-summary').replaceChildren(
            tile('Highest', coin.high < 0 ? none : at(coin.high)),
            tile('Lowest', coin.low < 0 ? none : at(coin.low)),
            tile('Spread now', spread === null ? [element('b', '–'), element('span', 'there are not two rates')]
                : [element('b', `${exactPercent(spread).replace('+', '')} pp`), element('span', `per 8 hours; ${proportion(spread, 109_500, 1, 2)} pp a year, simple`)]),
            tile('Contracts', [element('b', grouped(rows.length)), element('span', `at ${coin.byVenue.size} exchanges${missing > 0 ? `; ${missing} missing` : ''}`)]));
    }

    #drawings() {
        const outer = new Set([this.#coin.high, this.#coin.low].filter(i => i >= 0).map(i => `${this.#list.rows.column('venue')[i]} ${this.#list.rows.column('symbol')[i]}`));
        const dots = this.#shown.filter(row => row.funding_rate_8h !== null).map(row => ({
            value: Number(row.funding_rate_8h),
            label: `${this.#app.venueName(row.venue)}${row.contract_type === 'linear' && row.quote === 'USDT' ? '' : ` ${row.contract_type === 'linear' ? row.quote : row.contract_type}`}`,
            className: `${stepClass(Number(row.funding_rate_8h))}${row.stale ? ' stale' : ''}${row.contract_type === 'linear' ? '' : ' hollow'}${outer.has(`${row.venue} ${row.symbol}`) ? ' outer' : ''}`,
            id: `${row.venue} ${row.symbol}`,
            title: `${row.venue} ${row.symbol}: ${exactPercent(row.funding_rate_8h)} % per 8 hours`,
        }));
        strip($('asset-strip'), dots, {words: `8-hour rates of ${dots.length} contracts; the table below has the figures`, unit: '', factor: 100});
        const apartDots = this.#shown.filter(row => row.mark_price !== null && row.index_price !== null && basis(row.mark_price, row.index_price) !== null).map(row => ({
            value: Number(quotient(minus(row.mark_price, row.index_price), row.index_price, 10)),
            label: this.#app.venueName(row.venue),
            className: `plain${row.stale ? ' stale' : ''}`,
            id: `${row.venue} ${row.symbol}`,
            title: `${row.venue} ${row.symbol}: mark ${basis(row.mark_price, row.index_price)} % from index`,
        }));
        strip($('asset-basis'), apartDots, {words: `Basis of ${apartDots.length} contracts; the table below has the figures`, unit: '', factor: 100});
        timeline($('asset-timeline'), $('asset-instants'), this.#shown, this.#app.now(), venue => this.#app.venueName(venue));
    }

    #table(key, down) {
        const table = $('asset-table');
        headings(table, COLUMNS, {key, down}, used => {
            const column = COLUMNS.find(one => one.key === used);
            const next = used === key ? !down : column.down === true;
            this.#app.change({sort: used, order: next ? 'down' : 'up'});
        });
        const most = field => mostDecimals(this.#shown.map(row => row[field]));
        const rates = mostDecimals(this.#shown.map(row => row.funding_rate_8h && exactPercent(row.funding_rate_8h)));
        const own = mostDecimals(this.#shown.map(row => row.funding_rate && exactPercent(row.funding_rate)));
        const [marks, indices] = [most('mark_price'), most('index_price')];
        table.tBodies[0].replaceChildren(...this.#shown.map(row => this.#row(row, {rates, own, marks, indices})));
    }

    #row(row, most) {
        const now = this.#app.now();
        const {word: name, meaning} = kind(row.rate_kind);
        const cell = (content, className = 'number') => element('td', content, {class: className});
        const figure = (text, decimals, why) => cell(text === null ? unknown(why) : [text, element('span', padding(text, decimals), {'aria-hidden': 'true'})]);
        const price = (value, decimals, why) => figure(value === null ? null : grouped(value), decimals, why);
        const noRate = 'the exchange published no rate, or not the hours that it covers';
        return element('tr', [
            element('th', this.#app.venueName(row.venue), {scope: 'row'}),
            cell(row.symbol, 'symbol'),
            cell(row.contract_type, row.contract_type === 'linear' ? 'quiet' : ''),
            this.#rate(row, most.rates, noRate),
            figure(row.funding_rate && exactPercent(row.funding_rate), most.own, noRate),
            cell(row.funding_interval_h === null ? unknown('the exchange did not publish its interval') : `${row.funding_interval_h} h`),
            cell(row.funding_rate_annualised === null ? unknown('there is no 8-hour rate to extend') : percent(row.funding_rate_annualised, 2)),
            cell([name, element('span', `: ${meaning}`, {class: 'aside'})], ''),
            cell(row.next_funding_ms === null ? unknown('the exchange announces none')
                : [time(row.next_funding_ms, utc(row.next_funding_ms).slice(5)), element('small', ` ${until(row.next_funding_ms, now)}`)]),
            price(row.mark_price, most.marks, 'the exchange published no mark price'),
            price(row.index_price, most.indices, 'the exchange published no index price'),
            cell(row.quote, 'quiet'),
            cell(basis(row.mark_price, row.index_price) ?? unknown('a price is not known')),
            cell(row.price_scale === '1' ? '1 coin' : `${grouped(row.price_scale)} coins`, row.price_scale === '1' ? 'number quiet' : 'number'),
            cell([span(now - Number(row.observed_at_ms)), row.stale ? element('strong', ' stale', {class: 'warn'}) : ''].filter(Boolean)),
        ], {'data-id': `${row.venue} ${row.symbol}`, class: row.stale ? 'stale' : null});
    }

    #rate(row, decimals, why) {
        if (row.funding_rate_8h === null) {
            return element('td', unknown(why), {class: 'number'});
        }
        const text = exactPercent(row.funding_rate_8h);
        return element('td', [element('span', text, {class: `figure ${stepClass(Number(row.funding_rate_8h))}`}),
            element('span', padding(text, decimals), {'aria-hidden': 'true'})], {class: 'number'});
    }

    /** Shows the row of a dot. */
    #mark(id) {
        const row = id && [...$('asset-table').tBodies[0].rows].find(one => one.dataset.id === id);
        if (row) {
            $('asset-table').querySelector('tr.marked')?.classList.remove('marked');
            row.classList.add('marked');
            row.scrollIntoView({block: 'center'});
        }
    }
}

/** A link to a coin. */
export function coinLink(app, asset) {
    return element('a', asset, {href: app.address('asset', {}, asset)});
}
