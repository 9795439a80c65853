// Assets by exchanges: one rate for each, coloured by the 8-hour rate.

import {cellsOf, coinCells, SHOWN, venueCell} from './cells.js';
import {coins, found, ordered} from './coins.js';
import {absentDetails, coinDetails, contractDetails, emptyDetails} from './details.js';
import {download} from './csv.js';
import {$, element} from './dom.js';
import {grouped, stamp} from './figures.js';
import {moved} from './grid.js';
import {VirtualRows} from './virtual.js';

/** `first` is the direction in which a heading orders when it is used first, true for descending. */
const COIN_COLUMNS = [
    {key: 'asset', title: 'Asset', first: false},
    {key: 'spread', title: 'Spread', first: true, hint: 'highest less lowest'},
    {key: 'high', title: 'Highest', first: true, hint: 'of linear contracts that are not stale'},
    {key: 'low', title: 'Lowest', first: false, hint: 'of linear contracts that are not stale'},
    {key: 'next', title: 'Next', first: false, hint: 'the first settlement that any of the contracts announces'},
];

/** The options that filter contracts, and the fields that they compare. */
const FILTERS = [['kind', 'rate_kind'], ['interval', 'funding_interval_h'], ['type', 'contract_type'], ['class', 'asset_class']];

/** Exchanges of the observation, then those that are missing; `reason` is why the list has no row of an exchange. */
function venueColumns(meta, app) {
    const without = new Map(meta.missing.venues.map(one => [one.venue, one]));
    const observed = new Set(app.venues.filter(row => row.in_current_observation).map(row => row.venue));
    const venues = meta.scope.venues.map(venue => {
        const one = without.get(venue);
        // An observed exchange has been read: without a time, it only has none of the assets that were named.
        const absent = one?.since_ms === null && observed.has(venue) ? undefined : one;
        return {key: venue, venue, title: app.venueName(venue), reason: one?.reason.replaceAll('_', ' '), absent, first: true};
    });
    return [...venues.filter(one => !one.absent), ...venues.filter(one => one.absent)];
}

export class Matrix {
    #app;
    #rows = null;
    #columns = [];
    #coins = [];
    #at = {row: -1, column: 0};
    #virtual;
    #options;

    constructor(app) {
        this.#app = app;
        this.table = $('matrix-table');
        this.#virtual = new VirtualRows($('matrix-scroll'), this.table, (row, i) => this.#fill(row, i), held => this.#filled(held));
        this.table.addEventListener('keydown', event => this.#key(event));
        this.table.addEventListener('click', event => this.#click(event));
        this.table.addEventListener('focusin', event => this.#focused(event.target));
        $('matrix-csv').addEventListener('click', () => this.#save());
    }

    /** Shows the list that arrived, or the same one another way. */
    draw(options) {
        this.#options = options;
        const list = this.#app.list;
        if (!list) {
            return;
        }
        this.#rows = list.rows;
        this.#columnsOf(list.meta);
        const all = this.#grouped(list.rows);
        const assets = options.get('assets')?.split(',');
        const kept = assets ? all.filter(coin => assets.includes(coin.asset)) : all;
        const key = options.get('sort') ?? 'listed';
        this.#coins = found(ordered(kept, list.rows, key, this.#down(key)), options.get('find') ?? '');
        this.#follow();
        this.#head(key);
        $('matrix-scroll').dataset.detail = options.get('plain') ? 'no' : 'yes';
        this.table.setAttribute('aria-rowcount', this.#coins.length + 1);
        this.table.setAttribute('aria-colcount', this.#columns.length);
        this.#virtual.show(this.#coins.length, options.get('plain') ? 26 : 38);
        this.#words(list, all, kept);
        this.#inspect();
    }

    /** Ages go on between two lists. */
    tick() {
        if (this.#rows) {
            this.#virtual.refill();
        }
    }

    /** Gives the reader the contracts of the assets that are shown as a file, in the order of the assets. */
    #save() {
        if (this.#rows) {
            const rows = this.#coins.flatMap(coin => [...coin.byVenue.values()].flat().map(i => this.#rows.row(i)));
            download(`rates-${stamp(this.#app.list.meta.generated_at_ms)}.csv`, this.#rows.names, rows);
        }
    }

    get #shown() {
        return SHOWN[this.#options.get('show')] ?? SHOWN['8h'];
    }

    /** Contracts by asset, once for each list and filter. */
    #grouped(rows) {
        const wanted = FILTERS.map(([option, field]) => [field, this.#options.get(option)]).filter(([, value]) => value);
        const filter = String(wanted);
        if (this.group?.rows !== rows || this.group.filter !== filter) {
            const passes = wanted.map(([field, value]) => [rows.column(field), value]);
            this.group = {rows, filter, coins: coins(rows, i => passes.every(([column, value]) => column[i] === value), this.#app.now())};
        }
        return this.group.coins;
    }

    #down(key) {
        return (this.#options.get('order') ?? (['asset', 'low', 'next'].includes(key) ? 'up' : 'down')) === 'down';
    }

    #columnsOf(meta) {
        const columns = [...COIN_COLUMNS, ...venueColumns(meta, this.#app)];
        const same = columns.map(one => `${one.key} ${one.title} ${one.reason} ${Boolean(one.absent)}`).join();
        if (same !== this.columnsDrawn) {
            this.columnsDrawn = same;
            this.#columns = columns;
            this.table.tBodies[1].replaceChildren();
            this.table.tHead.replaceChildren();
            this.table.style.setProperty('--venues', columns.length - COIN_COLUMNS.length);
        }
    }

    #head(sort) {
        if (!this.table.tHead.rows.length) {
            this.table.tHead.append(element('tr', this.#columns.map((column, i) => element('th', [
                element('button', column.title, {type: 'button', 'data-key': column.key, tabindex: -1, title: column.hint ?? `Order by ${column.title}`}),
                column.reason && element('small', column.reason),
            ], {scope: 'col', role: 'columnheader', 'aria-colindex': i + 1, class: `${column.venue ? 'venue' : column.key} ${column.absent ? 'absent' : ''}`})), {'aria-rowindex': 1}));
        }
        [...this.table.tHead.rows[0].cells].forEach((cell, i) => {
            cell.ariaSort = this.#columns[i].key !== sort ? null : this.#down(sort) ? 'descending' : 'ascending';
        });
        this.#rove();
    }

    #fill(row, i) {
        const coin = this.#coins[i];
        if (row.cells.length === 0) {
            row.append(...cellsOf(this.#columns.length));
        }
        row.dataset.i = i;
        coinCells(this.#app, this.#rows, row, coin, this.#columns.length - COIN_COLUMNS.length);
        for (let k = COIN_COLUMNS.length; k < this.#columns.length; k++) {
            venueCell(this.#app, this.#rows, row.cells[k], coin, this.#columns[k], this.#shown);
        }
    }

    /** Rows have other places now: the focus goes with the asset that had it. */
    #filled(held) {
        this.#rove();
        if (held) {
            const cell = this.#cellAt(this.#at);
            if (cell) {
                cell.focus({preventScroll: true});
            } else {
                document.activeElement.blur();
            }
        }
    }

    #words(list, all, kept) {
        const contracts = list.rows.count;
        const absent = this.#columns.filter(column => column.absent).length;
        $('matrix-count').replaceChildren(
            `${grouped(this.#coins.length)} of ${grouped(all.length)} assets, ${grouped(contracts)} contracts`,
            ...(absent > 0 ? [', ', element('a', `${absent} ${absent === 1 ? 'exchange' : 'exchanges'} missing`, {href: this.#app.address('exchanges', {show: 'missing'})})] : []));
        const none = this.#coins.length === 0;
        $('matrix-none').hidden = !none;
        $('matrix-scroll').hidden = none;
        if (none) {
            const wanted = (this.#options.get('find') ?? '').trim().toUpperCase();
            const outside = list.meta.scope.outside.length;
            $('matrix-none').replaceChildren(
                kept.length < all.length && kept.length === 0 ? 'No asset of this watch-list is in the list. ' : 'No asset in this list fits. ',
                ...(wanted ? [element('a', `Look for ${wanted} at all exchanges`, {href: this.#app.address('asset', {}, wanted)})] : []),
                outside > 0 ? ` ${outside} exchanges are outside this list.` : '');
        }
    }

    /** The cell that was chosen stays that of its asset, wherever the asset is now. */
    #follow() {
        const row = this.#at.row < 0 ? -1 : this.#coins.findIndex(coin => coin.asset === this.chosen);
        this.#at = {row, column: Math.min(this.#at.column, this.#columns.length - 1)};
        this.chosen = this.#coins[row]?.asset;
    }

    #inspect() {
        const coin = this.#coins[this.#at.row];
        const of = this.#columns[this.#at.column];
        this.chosen = coin?.asset;
        const panel = $('matrix-inspector');
        if (!coin || !of) {
            panel.hidden = true;
            return;
        }
        panel.hidden = false;
        if (panel.contains(document.activeElement)) {
            // A reader uses its contents.
            return;
        }
        const beside = coin.byVenue.get(of.venue);
        panel.replaceChildren(...(beside ? contractDetails(this.#app, this.#rows, beside)
            : of.absent ? absentDetails(of)
                : of.venue ? emptyDetails(coin, of)
                    : coinDetails(this.#app, this.#rows, coin)));
    }

    #cellAt({row, column}) {
        return row < 0 ? this.table.tHead.rows[0]?.cells[column]?.firstElementChild : this.#virtual.row(row)?.cells[column];
    }

    #rove(focus = false) {
        this.table.querySelectorAll('[tabindex="0"]').forEach(cell => cell.setAttribute('tabindex', -1));
        const cell = this.#cellAt(this.#at);
        cell?.setAttribute('tabindex', 0);
        if (focus) {
            cell?.focus({preventScroll: this.#at.row >= 0});
            cell?.scrollIntoView({block: 'nearest', inline: 'nearest'});
        }
    }

    #key(event) {
        const size = {rows: this.#coins.length, columns: this.#columns.length, page: this.#virtual.page};
        const to = event.altKey || event.metaKey ? null : moved(this.#at, event.key, size, event.ctrlKey);
        if (to) {
            event.preventDefault();
            this.#at = to;
            this.#inspect();
            if (to.row >= 0) {
                this.#virtual.reveal(to.row);
            }
            this.#rove(true);
        } else if (event.key === 'Enter' && this.#at.row >= 0) {
            event.preventDefault();
            this.#app.go('asset', {}, this.#coins[this.#at.row].asset);
        } else if (event.key === 'w' && this.#at.row >= 0 && !event.ctrlKey) {
            this.#app.watch(this.#coins[this.#at.row].asset);
            this.#inspect();
        } else if (event.key === 'Escape') {
            this.#at = {row: -1, column: 0};
            this.#rove();
            this.#inspect();
        }
    }

    #click(event) {
        const heading = event.target.closest('thead button');
        if (heading) {
            const key = heading.dataset.key;
            const column = this.#columns.find(one => one.key === key);
            const down = (this.#options.get('sort') ?? 'listed') === key ? !this.#down(key) : column.first;
            this.#app.change({sort: key, order: down ? 'down' : 'up'});
        }
    }

    #focused(target) {
        const cell = target.closest('th, td');
        const row = cell?.parentElement;
        if (!row || cell.cellIndex < 0) {
            return;
        }
        this.#at = {row: row.dataset.i === undefined ? -1 : Number(row.dataset.i), column: cell.cellIndex};
        this.#rove();
        this.#inspect();
        if (this.#at.row >= 0) {
            // The inspector must not cover the rate that it explains.
            this.#virtual.reveal(this.#at.row);
        }
    }
}
