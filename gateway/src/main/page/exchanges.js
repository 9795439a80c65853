// The listed exchanges: which are in the observation, why the others are not, how old their rates are, and the errors of their estimates.

import {$, element, put, time, unknown} from './dom.js';
import {grouped, span, utc} from './figures.js';
import {cell, drawTable, number} from './tables.js';
import {exactRate, unit} from './units.js';
import {kind} from './words.js';

const NO_ROW = 'it has no row';
const NO_ERROR = 'no settled rate has been compared with an estimate yet';
const historyPart = row => row.settled_history_contracts_read / row.settled_history_contracts;
const seconds = field => row => (row[field] === null ? unknown(NO_ROW) : `${row[field]} s`);
const error = (row, field) => (row[field] === null ? unknown(NO_ERROR) : `${exactRate(row[field]).replace('+', '')}${unit().after}`);

const COLUMNS = [
    {key: 'name', title: 'Exchange', by: row => row.name.toLowerCase(), cell: row => [row.name, ' ', element('small', row.kind === 'dex' ? 'protocol' : '', {class: 'quiet'})]},
    {key: 'state', title: 'In the observation', by: row => `${row.in_current_observation ? 1 : 0}${row.reason ?? ''}`, cell: state},
    {key: 'symbols', title: 'Contracts', number: true, down: true, by: number('symbols'), cell: row => grouped(row.symbols)},
    {key: 'intervals', title: 'Contracts by interval', hint: 'how many settle every so many hours', cell: row => intervals(row.symbols_by_interval_h, row.symbols)},
    {key: 'p50', title: 'Age, median', number: true, by: number('age_p50_s'), cell: seconds('age_p50_s'), hint: 'seconds between observation and snapshot; half of the contracts are younger'},
    {key: 'p95', title: 'Age, 95 %', number: true, by: number('age_p95_s'), cell: seconds('age_p95_s'), hint: '95 % of the contracts are younger'},
    {key: 'kind', title: 'Kind of rate', by: row => row.rate_kind, cell: row => (row.rate_kind === null ? unknown('there is no reader') : kind(row.rate_kind).word)},
    {key: 'history', title: 'Settled history read', by: historyPart, cell: history, hint: 'contracts whose last 31 days of settlements have been read'},
    {key: 'e50', title: 'Estimate error, median', number: true, by: number('estimate_error_p50'), cell: row => error(row, 'estimate_error_p50'),
        hint: '|settled − estimate| over 30 days, part of the notional per 8 hours'},
    {key: 'e95', title: 'Error, 95 %', number: true, by: number('estimate_error_p95'), hint: '95 % of the errors are smaller',
        cell: row => [error(row, 'estimate_error_p95'), row.estimate_error_p95 !== null && element('small', ` of ${grouped(row.estimate_error_settlements)}`, {class: 'quiet'})]},
    {key: 'scope', title: 'Scope', by: row => (row.default_scope ? 0 : 1), cell: row => (row.default_scope ? 'default' : cell('when named', 'quiet'))},
    {key: 'docs', title: 'Documentation', cell: docs},
];

export class Exchanges {
    #app;

    constructor(app) {
        this.#app = app;
    }

    draw(options, answer) {
        $('exchanges-body').hidden = !answer;
        if (!answer) {
            return;
        }
        const find = (options.get('find') ?? '').trim().toLowerCase();
        const which = options.get('show') ?? '';
        $('exchanges-show').value = which;
        const fits = {present: row => row.in_current_observation, missing: row => !row.in_current_observation, outside: row => !row.default_scope}[which] ?? (() => true);
        const rows = answer.rows.filter(row => fits(row) && `${row.venue} ${row.name}`.toLowerCase().includes(find));
        const present = answer.rows.filter(row => row.in_current_observation).length;
        put($('exchanges-count'), `${rows.length} of ${answer.rows.length} shown; ${present} in the observation of ${utc(answer.meta.generated_at_ms, true)}`);
        drawTable($('exchanges-table'), $('exchanges-columns'), COLUMNS, rows, {
            options, usual: 'name', change: to => this.#app.change(to), about: this.#app,
            attributes: row => ({class: row.in_current_observation ? null : 'is-missing'}),
        });
    }
}

function state(row, app) {
    const parts = row.in_current_observation ? ['yes'] : [element('strong', 'missing', {class: 'warn'}), ` ${row.reason ?? 'no reason known'}`];
    if (!row.in_current_observation) {
        parts.push(element('small', row.last_observed_ms === null ? ' never read' : [' last ', time(row.last_observed_ms, utc(row.last_observed_ms))]));
    }
    if (row.closed_at_ms !== null) {
        parts.push(element('small', [' ends or ended ', time(row.closed_at_ms, utc(row.closed_at_ms)), ', ', element('a', 'announcement',
            {href: row.closed_announcement, rel: 'noreferrer noopener', target: '_blank'})]));
    }
    if (row.closed_until_ms !== null) {
        parts.push(element('small', ` is not polled until ${utc(row.closed_until_ms)}, ${span(row.closed_until_ms - app.now())}`));
    }
    return parts;
}

/** Shares of the intervals as one bar, and in words. */
function intervals(counts, all) {
    if (counts.length === 0) {
        return unknown(NO_ROW);
    }
    const bar = element('span', counts.map((one, i) => {
        const part = element('i', '', {class: `part${i % 5}`});
        part.style.flexGrow = Number(one.symbols) / all;
        return part;
    }), {class: 'shares', 'aria-hidden': 'true'});
    return [bar, element('span', counts.map(one => `${one.funding_interval_h === null ? 'unknown' : `${one.funding_interval_h} h`}: ${grouped(one.symbols)}`).join(' · '))];
}

function history(row) {
    if (row.settled_history === false) {
        return element('span', 'publishes none', {class: 'quiet'});
    }
    if (row.settled_history_contracts === null) {
        return unknown('how far it is read is not known yet');
    }
    const [read, all] = [row.settled_history_contracts_read, row.settled_history_contracts];
    return [element('progress', '', {value: read, max: all, 'aria-label': `${row.name}: settled history read`}), ` ${grouped(read)} of ${grouped(all)}`,
        row.history_problem === null ? '' : element('small', row.history_problem, {class: 'quiet problem'})].filter(Boolean);
}

/** Only an address of the web leads anywhere. */
function docs(row) {
    return /^https?:\/\//.test(row.docs ?? '')
        ? element('a', new URL(row.docs).hostname, {href: row.docs, rel: 'noreferrer noopener', target: '_blank'})
        : unknown('no address is known');
}
