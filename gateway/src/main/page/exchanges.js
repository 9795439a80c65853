// The listed exchanges: which are in the observation, why the others are not, how old their rates are, and the errors of their estimates.

import {$, element, explain, headings, orderedBy, put, time, unknown} from './dom.js';
import {grouped, span, utc} from './figures.js';
import {exactRate, unit} from './units.js';
import {kind} from './words.js';

const number = field => row => (row[field] === null ? null : Number(row[field]));
const historyPart = row => (row.settled_history_contracts === null || row.settled_history_contracts === 0 ? null
    : Number(row.settled_history_contracts_read) / Number(row.settled_history_contracts));

const COLUMNS = [
    {key: 'name', title: 'Exchange', by: row => row.name.toLowerCase()},
    {key: 'state', title: 'In the observation', by: row => `${row.in_current_observation ? 1 : 0}${row.reason ?? ''}`},
    {key: 'symbols', title: 'Contracts', number: true, down: true, by: number('symbols')},
    {key: 'intervals', title: 'Contracts by interval', hint: 'how many settle every so many hours'},
    {key: 'p50', title: 'Age, median', number: true, by: number('age_p50_s'), hint: 'seconds between observation and snapshot; half of the contracts are younger'},
    {key: 'p95', title: 'Age, 95 %', number: true, by: number('age_p95_s'), hint: '95 % of the contracts are younger'},
    {key: 'kind', title: 'Kind of rate', by: row => row.rate_kind},
    {key: 'history', title: 'Settled history read', by: historyPart, hint: 'contracts whose last 31 days of settlements have been read'},
    {key: 'e50', title: 'Estimate error, median', number: true, by: number('estimate_error_p50'), hint: '|settled − estimate| over 30 days, part of the notional per 8 hours'},
    {key: 'e95', title: 'Error, 95 %', number: true, by: number('estimate_error_p95'), hint: '95 % of the errors are smaller'},
    {key: 'scope', title: 'Scope', by: row => (row.default_scope ? 0 : 1)},
    {key: 'docs', title: 'Documentation'},
];

/** The view. */
export class Exchanges {
    #app;

    constructor(app) {
        this.#app = app;
        explain($('exchanges-columns'), COLUMNS);
    }

    /** Shows the response. */
    draw(options, answer) {
        $('exchanges-body').hidden = !answer;
        if (!answer) {
            return;
        }
        const find = (options.get('find') ?? '').trim().toLowerCase();
        const which = options.get('show') ?? '';
        $('exchanges-show').value = which;
        const key = COLUMNS.some(column => column.key === options.get('sort') && column.by) ? options.get('sort') : 'name';
        const column = COLUMNS.find(one => one.key === key);
        const down = (options.get('order') ?? (column.down ? 'down' : 'up')) === 'down';
        const fits = {present: row => row.in_current_observation, missing: row => !row.in_current_observation, outside: row => !row.default_scope}[which] ?? (() => true);
        const rows = orderedBy(answer.rows.filter(row => fits(row) && `${row.venue} ${row.name}`.toLowerCase().includes(find)), column.by, down);
        const present = answer.rows.filter(row => row.in_current_observation).length;
        put($('exchanges-count'), `${rows.length} of ${answer.rows.length} shown; ${present} in the observation of ${utc(answer.meta.generated_at_ms, true)}`);
        const table = $('exchanges-table');
        headings(table, COLUMNS.map(one => ({...one, key: one.by ? one.key : undefined})), {key, down}, used => {
            const to = COLUMNS.find(one => one.key === used);
            this.#app.change({sort: used, order: (used === key ? !down : to.down === true) ? 'down' : 'up'});
        });
        table.tBodies[0].replaceChildren(...rows.map(row => this.#row(row)));
    }

    #row(row) {
        const cell = (content, className = 'number') => element('td', content, {class: className});
        return element('tr', [
            element('th', [row.name, ' ', element('small', row.kind === 'dex' ? 'protocol' : '', {class: 'quiet'})], {scope: 'row'}),
            this.#state(row),
            cell(grouped(row.symbols)),
            cell(intervals(row.symbols_by_interval_h, Number(row.symbols)), ''),
            cell(row.age_p50_s === null ? unknown('it has no row') : `${row.age_p50_s} s`),
            cell(row.age_p95_s === null ? unknown('it has no row') : `${row.age_p95_s} s`),
            cell(row.rate_kind === null ? unknown('there is no reader') : kind(row.rate_kind).word, ''),
            cell(history(row), ''),
            cell(row.estimate_error_p50 === null ? unknown('no settled rate has been compared with an estimate yet') : `${exactRate(row.estimate_error_p50).replace('+', '')}${unit().after}`),
            cell(row.estimate_error_p95 === null ? unknown('no settled rate has been compared with an estimate yet')
                : [`${exactRate(row.estimate_error_p95).replace('+', '')}${unit().after}`, element('small', ` of ${grouped(row.estimate_error_settlements)}`, {class: 'quiet'})]),
            cell(row.default_scope ? 'default' : 'when named', row.default_scope ? '' : 'quiet'),
            cell(docs(row), ''),
        ], {class: row.in_current_observation ? null : 'is-missing'});
    }

    #state(row) {
        const parts = row.in_current_observation ? ['yes'] : [element('strong', 'missing', {class: 'warn'}), ` ${row.reason ?? 'no reason known'}`];
        if (!row.in_current_observation) {
            parts.push(element('small', row.last_observed_ms === null ? ' never read' : [' last ', time(row.last_observed_ms, utc(row.last_observed_ms))]));
        }
        if (row.closed_at_ms !== null) {
            const end = utc(row.closed_at_ms);
            parts.push(element('small', [' ends or ended ', time(row.closed_at_ms, end), ', ', element('a', 'announcement',
                {href: row.closed_announcement, rel: 'noreferrer noopener', target: '_blank'})]));
        }
        if (row.closed_until_ms !== null) {
            parts.push(element('small', ` is not polled until ${utc(row.closed_until_ms)}, ${span(Number(row.closed_until_ms) - this.#app.now())}`));
        }
        return element('td', parts);
    }
}

/** Shares of the intervals as one bar, and in words. */
function intervals(counts, all) {
    if (counts.length === 0) {
        return unknown('it has no row');
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
