// One pair opened: both legs in full, its receipt, and how anyone recomputes it.

import {copyButton, element, time, unknown} from './dom.js';
import {grouped, until, utc} from './figures.js';
import {onThisMachine} from './reading.js';
import {exactRate, unit} from './units.js';
import {BASES, plainWord} from './words.js';

const DAY_MS = 86_400_000;
const SUM = leg => leg.funding_sum_30d ?? leg.funding_sum;

/** A text as one word of a shell. */
const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that puts the pairs of an asset together again from the settlements, without the topology. */
export function receiptCommand(asset) {
    return `java -jar standalone/target/observatory.jar receipt ${/^\w+$/.test(asset) ? asset : `-- ${quoted(asset)}`}`;
}

/** The settlements of both legs, as the topic has them. */
export function settlementsCommand(pair) {
    const key = leg => quoted(`${leg.venue}|${leg.symbol} `);
    return `kcat -b ${location.hostname}:9092 -t settlements -C -e -q -X isolation.level=read_committed -f '%k %s\\n' | grep -F -e ${key(pair.short)} -e ${key(pair.long)}`;
}

/** Commands that need the brokers, which a public service does not open to its readers. */
function fromKafka(pair) {
    return [element('p', 'From the settlements in Kafka, independently of this service’s own sums:'),
        ...[receiptCommand(pair.asset), settlementsCommand(pair)].map(command =>
            element('p', [element('code', command), copyButton(() => command, 'the command')], {class: 'copyable'}))];
}

/** The pair's sum over a part of the window; the legs stay the same. */
function over(name, sum) {
    return [`${name}: `, sum === null ? unknown('fewer days are known') : element('b', `${exactRate(sum)}${unit().after}`), '. '];
}

function day(name, of) {
    return [`${name}: `, ...(of === null ? [unknown('no day is known')]
        : [element('b', `${exactRate(of.day_difference)}${unit().after}`), ' in the 24 hours after ', time(of.day_start_ms, utc(of.day_start_ms))]), '. '];
}

/** How its sums are made, over the days that both legs are covered for; nothing where there is no such day. */
function sums(pair) {
    const startMs = Number(pair.window_end_ms) - Number(pair.days) * DAY_MS;
    return Number(pair.days) === 0 ? '' : 'The sum of a leg is the plain sum of its settlements in the window '
        + `after ${utc(startMs)} up to and with ${utc(pair.window_end_ms)}; the pair’s sum is the short leg’s sum less the long leg’s. `
        + 'The legs are assigned in hindsight, from the sums. ';
}

export function pairDetails(app, pair, carry, rates) {
    const {short, long} = pair;
    const line = (name, of) => element('tr', [element('th', name, {scope: 'row'}), element('td', of(short)), element('td', of(long))]);
    const at = ms => (ms === null ? unknown('there is none') : time(ms, utc(ms)));
    const next = leg => rates.get(`${leg.venue} ${leg.symbol}`);
    const legs = element('table', [
        element('thead', element('tr', [element('th', 'Leg', {scope: 'col'}), element('th', `Short: ${app.venueName(short.venue)}`, {scope: 'col'}),
            element('th', `Long: ${app.venueName(long.venue)}`, {scope: 'col'})])),
        element('tbody', [
            line('Symbol', leg => element('span', leg.symbol, {class: 'symbol'})),
            line('Quote currency', leg => leg.quote ?? unknown('not known')),
            line('Sum of settlements', leg => (SUM(leg) === null ? unknown('no day is common to both legs')
                : [element('b', `${exactRate(SUM(leg))}${unit().after}`), ' ', element('span', SUM(leg), {class: 'fraction'})])),
            line('Settlements', leg => `${grouped(leg.settlements)} known of ${grouped(leg.expected)} expected`),
            line('Of them estimated', leg => grouped(leg.estimated)),
            line('Weakest basis', leg => (leg.basis === null ? unknown('no settlement') : `${leg.basis}: ${BASES[leg.basis] ?? ''}`)),
            line('First in the window', leg => at(leg.first_settlement_ms)),
            line('Last in the window', leg => at(leg.last_settlement_ms)),
            line('Interval', leg => (leg.funding_interval_h === null ? unknown('not known') : `${leg.funding_interval_h} h`)),
            line('Next settlement', leg => (next(leg) ? [time(next(leg), utc(next(leg))), ` ${until(next(leg), app.now())}`] : unknown('not announced, or not in this list'))),
            line('Listing', leg => `epoch ${leg.listing_epoch}`),
        ]),
    ], {class: 'legs'});
    return element('div', [
        legs,
        element('div', [
            element('h3', 'Steady, or one spike'),
            element('p', [
                ...over('last 7 days', pair.funding_difference_7d), ...over('last 24 hours', pair.funding_difference_24h),
                ...day('best day', pair.best_day), ...day('worst day', pair.worst_day),
            ]),
            element('h3', 'Recompute it'),
            element('p', `A settlement is what a long paid a short at that one instant, as a fraction of notional. ${sums(pair)}`
                + `Not included: ${carry.not_included.map(plainWord).join(', ')}.`),
            element('p', ['Receipt: SHA-256 over the lines ', element('code', 'venue|symbol|epoch|time in ms|rate|basis'),
                ' of both legs, sorted by exchange, symbol and time, each line ended by a line feed, the rate in plain notation without zeros at its end:']),
            pair.receipt === null ? element('p', unknown('no day is common to both legs'))
                : element('p', [element('code', pair.receipt, {class: 'receipt'}), copyButton(() => pair.receipt, 'the receipt')], {class: 'copyable'}),
            ...(onThisMachine(location.hostname) ? fromKafka(pair) : []),
        ], {class: 'recompute'}),
    ], {class: 'opened-body'});
}
