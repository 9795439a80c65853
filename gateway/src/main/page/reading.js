// How to read the rates, from the service's own index, and commands that fetch the same rates.

import {$, copyButton, element} from './dom.js';
import {grouped} from './figures.js';

/** Whether a host is the machine of the reader, whose brokers the reader can reach. */
export function onThisMachine(hostname) {
    return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The commands for this service; those that need a broker only on the machine of the service. */
export function commands(origin) {
    const {hostname} = new URL(origin);
    return [
        ['Rates of two assets at all exchanges', `curl -s --compressed '${origin}/api/v1/latest?assets=BTC,ETH&venues=all'`],
        ['The whole list, and one exchange from it', `curl -s --compressed ${origin}/api/v1/latest | jq '.rows[] | select(.venue=="okx")'`],
        ['Pairs of an asset over 30 days', `curl -s --compressed '${origin}/api/v1/carry?assets=BTC&limit=10'`],
        ['Has anything changed? 304 means no', `curl -s --compressed -o latest.json --etag-compare latest.etag --etag-save latest.etag ${origin}/api/v1/latest`],
        ...(onThisMachine(hostname)
            ? [['The same rows as a stream, from Kafka', `kcat -b ${hostname}:9092 -t rates.normalised -C -o end -X isolation.level=read_committed -f '%k %s\\n'`]] : []),
        ['The skill, for an agent’s directory of skills', `curl -s --create-dirs -o skills/funding-rates/SKILL.md ${origin}/skills/funding-rates/SKILL.md`],
    ];
}

export function drawCommands() {
    $('commands').replaceChildren(...commands(location.origin).map(([what, command]) => element('li', [
        element('span', what), element('code', command), copyButton(() => command, what)])));
}

export function drawReading(index) {
    $('read-index').hidden = !index;
    if (!index) {
        return;
    }
    const terms = (list, name) => list.flatMap(one => [element('dt', element('code', one[name])), element('dd', one.meaning)]);
    $('read-fields').replaceChildren(...terms(index.reading, 'field'));
    $('read-differences').replaceChildren(...terms(index.differences, 'difference'));
    $('read-addresses').tBodies[0].replaceChildren(...index.addresses.map(one => element('tr', [
        element('th', one.served === 'yes' ? element('a', one.path, {href: one.path}) : element('code', one.path), {scope: 'row'}),
        element('td', one.served), element('td', one.meaning), element('td', one.parameters ?? ''),
    ])));
    $('read-kinds').replaceChildren(...index.kinds.flatMap(one => [element('dt', element('code', one.kind)), element('dd', `${one.meaning} (${one.status})`)]));
    const limits = index.limits;
    $('read-limits').textContent = `${grouped(limits.points_per_minute)} points a minute, ${limits.points_at_once} at once: the whole list costs ${limits.whole_list_points}, pairs `
        + `${limits.pairs_points}, everything else and every 304 costs 1. ${limits.sweep_names} different names within ${Number(limits.sweep_window_s) / 60} minutes, each in a request of its own and ${limits.sweep_once_percent} % of them `
        + `only once, are a sweep and are refused (429), as are more than ${limits.names_per_sweep_window} of them in that time or ${limits.names_per_hour} in an hour; one request may name ${limits.names_per_request}.`;
}
