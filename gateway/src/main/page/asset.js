// One asset: every contract on one axis, what lies between them now, when they settle, and the table.

import {amount} from './calculator.js';
import {coins, spread} from './coins.js';
import {ContractTable} from './contracts.js';
import {download} from './csv.js';
import {minus, quotient, times} from './decimal.js';
import {$, element, put} from './dom.js';
import {bindDots} from './dots.js';
import {basis, grouped} from './figures.js';
import {stepClass} from './scale.js';
import {drawSettlements} from './settlements.js';
import {strip} from './strip.js';
import {exactRate, shortRate, unit} from './units.js';
import {percentiles} from './usual.js';

export class Asset {
    #app;
    #shown = [];
    #table;

    constructor(app) {
        this.#app = app;
        this.#table = new ContractTable(app);
        $('asset-csv').addEventListener('click', () => download(`${this.asset}-funding.csv`, this.#list.rows.names, this.#shown));
        $('asset-watch').addEventListener('click', () => this.#app.watch(this.asset));
        for (const id of ['asset-strip', 'asset-basis']) {
            bindDots($(id), contract => this.#table.mark(contract));
        }
        $('notional').addEventListener('input', event => this.#app.change({notional: event.target.value.trim()}));
        document.querySelectorAll('input[name=side]').forEach(radio => radio.addEventListener('change', () => this.#app.change({side: radio.value === 'long' ? '' : radio.value})));
        addEventListener('resize', () => this.#shown.length > 0 && !$('asset').hidden && this.#drawings());
    }

    /** Shows an asset from the response that names it, or from a list that holds it; null while neither is there. */
    draw(asset, list, options, pairs) {
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
        this.#coin = coins(list.rows, i => names[i].toUpperCase() === upper)[0];
        this.#shown = [];
        this.#list = list;
        this.#none(rows, list);
        if (rows.length > 0) {
            // As the service writes it, however the address has it.
            this.asset = this.#coin.asset;
            put($('asset-name'), this.asset);
            this.#shown = this.#table.draw(rows, options, this.#notional(options), percentiles(pairs));
            this.#summary(rows);
            this.#drawings();
            this.watching();
        }
    }

    #coin;
    #list;

    /** The notional that the address names; null where there is none, and where it is not an amount. */
    #notional(options) {
        const written = options.get('notional') ?? '';
        if (document.activeElement !== $('notional')) {
            $('notional').value = written;
        }
        const side = options.get('side') === 'short' ? 'short' : 'long';
        document.querySelectorAll('input[name=side]').forEach(radio => (radio.checked = radio.value === side));
        const notional = amount(written);
        const wrong = written !== '' && notional === null;
        $('notional').setAttribute('aria-invalid', wrong);
        put($('notional-problem'), wrong ? 'An amount is written in digits with at most one point, such as 10000 or 2500.50.' : '');
        return notional;
    }

    /** Whether the asset is on the watch-list. */
    watching() {
        const on = this.#app.isWatched(this.asset);
        put($('asset-watch'), on ? '★ On the watch-list' : '☆ Watch');
        $('asset-watch').setAttribute('aria-pressed', on);
    }

    #none(rows, list) {
        $('asset-body').hidden = rows.length === 0;
        $('asset-none').hidden = rows.length > 0;
        const outside = list.meta.scope.outside.length;
        put($('asset-none'), `No contract of ${this.asset} at ${outside === 0 ? `any of the ${list.meta.coverage || list.meta.venues_listed} exchanges observed` : 'the exchanges of this list'} now. Names are those of assets, such as BTC, without prefixes of contract sizes (1000PEPE).`);
    }

    #summary(rows) {
        const coin = this.#coin;
        const all = this.#list.rows;
        const at = i => [element('b', `${exactRate(all.column('funding_rate_8h')[i])}${unit().after}`, {class: stepClass(all.numbers('funding_rate_8h')[i])}),
            element('span', `${this.#app.venueName(all.column('venue')[i])} ${all.column('symbol')[i]}`)];
        const none = [element('b', '–'), element('span', 'no fresh rate of a linear contract')];
        const apart = spread(coin, all);
        const missing = this.#list.meta.missing.venues.length;
        const tile = (name, parts) => element('div', [element('dt', name), element('dd', parts)]);
        $('asset-summary').replaceChildren(
            tile('Highest', coin.high < 0 ? none : at(coin.high)),
            tile('Lowest', coin.low < 0 ? none : at(coin.low)),
            tile('Spread now', apart === null ? [element('b', '–'), element('span', 'there are not two rates')]
                : [element('b', `${exactRate(apart).replace('+', '')}${unit().apart}`),
                    element('span', `per 8 hours; ${shortRate(times(apart, '1095'), 2).replace('+', '')}${unit().apart} a year, simple`)]),
            tile('Contracts', [element('b', grouped(rows.length)), element('span', `at ${coin.byVenue.size} exchanges${missing > 0 ? `; ${missing} missing` : ''}`)]));
    }

    /** The exchange, and what tells its contracts apart. */
    #label({venue, contract_type: type, quote}) {
        const name = this.#app.venueName(venue);
        return type !== 'linear' ? `${name} ${type}` : quote === 'USDT' ? name : `${name} ${quote}`;
    }

    #drawings() {
        const outer = new Set([this.#coin.high, this.#coin.low].filter(i => i >= 0).map(i => `${this.#list.rows.column('venue')[i]} ${this.#list.rows.column('symbol')[i]}`));
        const dots = this.#shown.filter(row => row.funding_rate_8h !== null).map(row => ({
            value: Number(row.funding_rate_8h),
            label: this.#label(row),
            className: `${stepClass(Number(row.funding_rate_8h))}${row.stale ? ' stale' : ''}${row.contract_type === 'linear' ? '' : ' hollow'}${outer.has(`${row.venue} ${row.symbol}`) ? ' outer' : ''}`,
            id: `${row.venue} ${row.symbol}`,
            title: `${row.symbol}: ${exactRate(row.funding_rate_8h)}${unit().after} per 8 hours`,
        }));
        put($('asset-strip-unit'), unit().notional.toLowerCase());
        strip($('asset-strip'), dots, {words: `8-hour rates of ${dots.length} contracts; the table below has them in full`, factor: 10 ** unit().places});
        const apartDots = this.#shown.filter(row => row.mark_price !== null && row.index_price !== null && basis(row.mark_price, row.index_price) !== null).map(row => ({
            value: Number(quotient(minus(row.mark_price, row.index_price), row.index_price, 10)),
            label: this.#app.venueName(row.venue),
            className: `plain${row.stale ? ' stale' : ''}`,
            id: `${row.venue} ${row.symbol}`,
            title: `${row.symbol}: mark ${basis(row.mark_price, row.index_price)} % from index`,
        }));
        strip($('asset-basis'), apartDots, {words: `Mark–index basis of ${apartDots.length} contracts; the table below has it in full`, factor: 100});
        drawSettlements($('asset-instants'), this.#shown, this.#app.now(), venue => this.#app.venueName(venue));
    }
}
