// A contract's rate now against its own settled rates of the last 30 days: is it unusual?

import {compare} from './decimal.js';
import {element, unknown} from './dom.js';
import {shortRate, unit} from './units.js';

/** Legs of pairs with the percentiles of their settled 8-hour rates, by contract; none where the service does not return them. */
export function percentiles(pairs) {
    const legs = [...pairs?.rows ?? [], ...pairs?.incomplete ?? []].flatMap(pair => [pair.short, pair.long]);
    return new Map(legs.filter(leg => typeof leg.rate_8h_p50 === 'string').map(leg => [`${leg.venue} ${leg.symbol}`, leg]));
}

/** A column of contracts of which `usual` is the leg, or null. */
export const USUAL = {
    key: 'usual', title: 'Against its 30 days', down: true, cell: picture,
    hint: 'band: the 10th to the 90th percentile of this contract’s settled 8-hour rates of 30 days; line: their median; dot: the rate now; each contract has its own scale',
    by: ({funding_rate_8h: now, usual}) => (now === null || usual === null ? null : (now - usual.rate_8h_p50) / (usual.rate_8h_p90 - usual.rate_8h_p10 || 1e-12)),
};

function picture({funding_rate_8h: now, usual}) {
    if (now === null || usual === null) {
        return unknown(now === null ? 'there is no rate to compare' : 'fewer than 30 whole days of its settled rates are known');
    }
    const {rate_8h_p10: low, rate_8h_p50: middle, rate_8h_p90: high} = usual;
    const [from, to] = [Math.min(now, low), Math.max(now, high)];
    const part = (name, at, end = at) => {
        const node = element('i', '', {class: name});
        node.style.left = `${(at - from) / (to - from || 1) * 90 + 5}%`;
        node.style.width = end === at ? '' : `${(end - at) / (to - from || 1) * 90}%`;
        return node;
    };
    const word = compare(now, high) > 0 ? 'high' : compare(now, low) < 0 ? 'low' : 'usual';
    const text = [low, middle, high].map(rate => `${shortRate(rate, 4)}${unit().after}`);
    return [
        element('span', [part('band', low, high), part('middle', middle), part('now', now)], {class: word === 'usual' ? 'usual' : 'usual outside', 'aria-hidden': 'true'}),
        element('small', word, {class: word === 'usual' ? 'quiet' : 'warn', title: `10th percentile ${text[0]}, median ${text[1]}, 90th percentile ${text[2]}`}),
        element('span', `: 10th percentile ${text[0]}, median ${text[1]}, 90th percentile ${text[2]}`, {class: 'aside'}),
    ];
}
