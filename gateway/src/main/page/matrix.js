// Assets by exchanges: one rate for each, coloured by the 8-hour rate.

import {blank, coinCells, prepare, SHOWN, venueCell} from './cells.js';
import {coins, found, ordered} from './coins.js';
import {COIN_COLUMNS, venueColumns} from './columns.js';
import {absentDetails, coinDetails, contractDetails, emptyDetails} from './details.js';
import {csv, download} from './csv.js';
import {$, element} from './dom.js';
import {grouped, stamp} from './figures.js';
import {moved} from './grid.js';
import {matrixSheet} from './sheets.js';
import {VirtualRows} from './virtual.js';

/** The view. */
export class Matrix {
    #app;
    #rows = null;
    #columns = [];
    #coins = [];
    #at = {row: -1, column: 0};
    #virtual;
    #options;
    #inView = [COIN_COLUMNS.length, COIN_COLUMNS.length];

    constructor(app) {
        this.#app = app;
        this.table = $('matrix-table');
        this.#virtual = new VirtualRows($('matrix-scroll'), this.table, (row, i) => this.#fill(row, i), () => this.#across());
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
        const held = this.table.tBodies[1].contains(document.activeElement);
        this.#virtual.show(this.#coins.length, options.get('plain') ? 26 : 38);
        if (held) {
            this.#cellAt(this.#at)?.focus({preventScroll: true});
        }
        this.#words(list, all, kept);
        this.#inspect();
    }

    /** Ages go on between two lists. */
    tick() {
        if (this.#rows) {
            this.#virtual.refill();
        }
    }

    /** Gives the reader the assets that are shown as a file. */
    #save() {
        if (this.#rows) {
            const {field} = this.#shown;
            const venues = this.#columns.filter(column => column.venue).map(column => column.venue);
            const {names, rows} = matrixSheet(this.#coins, this.#rows, venues, field);
            download(`${field}-${stamp(this.#app.list.meta.generated_at_ms)}.csv`, csv(names, rows));
        }
    }

    get #shown() {
        return SHOWN[this.#options.get('show')] ?? SHOWN['8h'];
    }

    /** Contracts by asset, once for each list and filter; those of no filter are kept, for when it is taken off again. */
    #grouped(rows) {
        if (this.group?.rows !== rows) {
            this.group = {rows, all: null, filter: '', coins: null};
        }
        const wanted = [['kind', 'rate_kind'], ['interval', 'funding_interval_h'], ['type', 'contract_type'], ['class', 'asset_class']]
            .filter(([option]) => this.#options.get(option))
            .map(([option, field]) => ({column: rows.column(field), value: this.#options.get(option), field}));
        if (wanted.length === 0) {
            return (this.group.all ??= [...coins(rows, () => true, this.#app.now()).values()]);
        }
        const filter = wanted.map(({field, value}) => `${field} ${value}`).join();
        if (this.group.filter !== filter) {
            this.group.filter = filter;
            this.group.coins = [...coins(rows, i => wanted.every(({column, value}) => column[i] === value), this.#app.now()).values()];
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
            this.#virtual.forget();
            this.#inView = [COIN_COLUMNS.length, COIN_COLUMNS.length];
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
            if (this.#columns[i].key === sort) {
                cell.setAttribute('aria-sort', this.#down(sort) ? 'descending' : 'ascending');
            } else {
                cell.removeAttribute('aria-sort');
            }
        });
        this.#rove();
    }

    #fill(row, i) {
        const coin = this.#coins[i];
        const [first, last] = this.#inView;
        prepare(row, last);
        row.dataset.i = i;
        row.querySelector('[tabindex="0"]')?.setAttribute('tabindex', -1);
        coinCells(this.#app, this.#rows, row, coin, this.#columns.length - COIN_COLUMNS.length);
        const [from, to] = row.filled ?? [0, 0];
        for (let k = Math.max(from, COIN_COLUMNS.length); k < to; k++) {
            if (k < first || k >= last) {
                blank(row.cells[k]);
            }
        }
        for (let k = first; k < last; k++) {
            venueCell(this.#app, this.#rows, row.cells[k], coin, this.#columns[k], this.#shown);
        }
        row.filled = this.#inView;
        if (i === this.#at.row) {
            this.#cellAt(this.#at)?.setAttribute('tabindex', 0);
        }
    }

    /** Finds which exchanges are in view; rates of the others are written when they come into it. */
    #across() {
        const scroller = $('matrix-scroll');
        const heading = this.table.tHead.rows[0]?.cells[COIN_COLUMNS.length];
        if (!heading) {
            return false;
        }
        const left = (scroller.scrollLeft - heading.offsetLeft) / heading.offsetWidth;
        const count = this.#columns.length;
        const first = Math.max(0, Math.floor(left) - 1) + COIN_COLUMNS.length;
        const last = Math.min(count, Math.ceil(left + scroller.clientWidth / heading.offsetWidth) + 1 + COIN_COLUMNS.length);
        const changed = first !== this.#inView[0] || last !== this.#inView[1];
        this.#inView = [Math.min(first, count), Math.max(first, last)];
        return changed;
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
        if (this.#at.row >= 0 && row < 0) {
            this.#at = {row: -1, column: this.#at.column};
        } else {
            this.#at = {row, column: Math.min(this.#at.column, this.#columns.length - 1)};
        }
        this.chosen = this.#coins[this.#at.row]?.asset;
    }

    #inspect() {
        this.chosen = this.#coins[this.#at.row]?.asset;
        const {row, column} = this.#at;
        const coin = this.#coins[row];
        const of = this.#columns[column];
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
        if (row < 0) {
            return this.table.tHead.rows[0]?.cells[column]?.firstElementChild;
        }
        const of = this.#virtual.row(row);
        if (of) {
            prepare(of, column + 1);
        }
        return of?.cells[column];
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
