// Puts the page together: one feed for the list, one for the pairs, one for the exchanges.

import {feed} from './feed.js';
import {grouped, span, utc} from './figures.js';
import {element} from './table.js';
import * as missing from './missing.js';
import * as pairs from './pairs.js';
import * as rates from './rates.js';

const SOURCES = {
    live: ['Live', 'Read from the exchanges themselves.'],
    simulated: ['SIMULATED', 'No figure on this page is real.'],
    replay: ['REPLAY', 'Recorded figures of another time: none is of now.'],
};

const $ = id => document.getElementById(id);
let view = new rates.View(location.hash);
let list = null;
let venues = null;
let clockBehind = 0;
let wide = '';
let menu = '';

const now = () => Date.now() + clockBehind;

function source(name) {
    const [word, meaning] = SOURCES[name] ?? ['Source not known', 'No exchange has reported yet: take no figure for real.'];
    $('source').className = `source ${SOURCES[name] ? name : 'unknown'}`;
    $('source-word').textContent = word;
    $('source-meaning').textContent = meaning;
    document.title = name === 'live' ? 'Funding Observatory' : `${word}: Funding Observatory`;
    document.documentElement.dataset.source = SOURCES[name] ? name : 'unknown';
}

function facts() {
    const meta = list.meta;
    $('generated').replaceChildren(element('time', utc(meta.generated_at_ms, true), {datetime: meta.generated_at_utc}));
    $('release').textContent = meta.release;
    $('contracts').textContent = grouped(meta.row_count);
    const observed = venues?.rows.filter(row => row.in_current_observation).length;
    $('coverage').textContent = `${meta.coverage} of ${meta.venues_listed} in this list`
        + (observed === undefined ? '' : `; ${observed} of ${meta.venues_listed} observed`);
}

function age() {
    if (list) {
        const old = now() - Number(list.meta.generated_at_ms);
        $('age').textContent = span(old);
        $('age').classList.toggle('old', old > 180_000);
    }
}

function draw() {
    if (!list) {
        return;
    }
    const drawn = rates.draw($('rates-table'), list.rows, view, now(), key => {
        view.by(key);
        changed();
    });
    $('shown').textContent = drawn.words;
    $('rates-more').hidden = drawn.hidden === 0;
    $('rates-more').textContent = `Show ${Math.min(200, drawn.hidden)} more`;
}

function changed() {
    history.replaceState(null, '', view.hash);
    draw();
}

/** Exchanges outside the default scope are not in the whole list: each is asked for when it is chosen. */
function outside() {
    const chosen = venues?.rows.find(row => row.venue === view.venue);
    return chosen && !chosen.default_scope ? chosen.venue : '';
}

function options() {
    const group = (label, rows) => ({label, options: rows.map(row => ({
        value: row.venue,
        text: row.in_current_observation ? `${row.name} (${grouped(row.symbols)})` : `${row.name}: ${row.reason ?? 'no rows'}`,
    }))});
    return [
        group('In the default scope', venues.rows.filter(row => row.default_scope)),
        group('Read when chosen', venues.rows.filter(row => !row.default_scope)),
    ];
}

/** Draws the menu where its words have changed, and not while it is in use: a menu that is drawn anew closes. */
function choices() {
    const select = $('venue');
    if (!venues || select === document.activeElement) {
        return;
    }
    const groups = options();
    const words = JSON.stringify(groups);
    if (words !== menu) {
        menu = words;
        select.replaceChildren(
            element('option', 'all in the default scope', {value: ''}),
            ...groups.map(one => element(
                'optgroup', one.options.map(option => element('option', option.text, {value: option.value})), {label: one.label})));
    }
    select.value = view.venue;
    if (select.value !== view.venue) {
        view.venue = '';
        select.value = '';
    }
}

function filters() {
    $('asset').value = view.asset;
    $('kind').value = view.kind;
    choices();
}

filters();
$('filter').addEventListener('submit', event => event.preventDefault());

const readList = feed(
    () => (wide ? `/api/v1/latest?venues=${encodeURIComponent(wide)}` : '/api/v1/latest'),
    (answer, behind) => {
        list = answer;
        clockBehind = behind;
        source(list.meta.source);
        facts();
        age();
        missing.draw({
            venuesNone: $('missing-venues-none'),
            region: $('missing-region'),
            venues: $('missing-table'),
            rows: $('missing-rows'),
            left: $('left-table'),
            kinds: $('missing-kinds'),
        }, list.meta.missing);
        draw();
        $('state').textContent = 'Read anew about once a minute.';
        $('state').className = '';
    },
    (words, wait) => {
        $('state').textContent = `${words}. Trying again in ${span(wait * 1000)}.`
            + (list ? ` Shown is the list of ${utc(list.meta.generated_at_ms, true)}.` : '');
        $('state').className = 'trouble';
    });

feed(
    () => '/api/v1/carry?limit=25',
    answer => {
        $('pairs-state').textContent = pairs.draw($('pairs-table'), answer);
        $('pairs-state').className = '';
        $('pairs-region').hidden = false;
    },
    (words, wait) => {
        $('pairs-state').textContent = `${words}. Trying again in ${span(wait * 1000)}.`;
        $('pairs-state').className = 'trouble';
    });

feed(
    () => '/api/v1/venues',
    answer => {
        venues = answer;
        choices();
        if (list) {
            facts();
        }
        rescope();
    },
    () => {});

function rescope() {
    if (outside() !== wide) {
        wide = outside();
        $('state').textContent = 'Reading the list …';
        readList();
    } else {
        draw();
    }
}

$('asset').addEventListener('input', event => {
    view.asset = event.target.value;
    changed();
});
$('kind').addEventListener('change', event => {
    view.kind = event.target.value;
    changed();
});
$('venue').addEventListener('change', event => {
    view.venue = event.target.value;
    changed();
    rescope();
});
$('venue').addEventListener('blur', choices);
// A view that was passed on, opened in a tab that shows another; #rates and the like only lead to a place.
addEventListener('hashchange', () => {
    if (location.hash.includes('=')) {
        view = new rates.View(location.hash);
        document.activeElement?.blur();
        filters();
        rescope();
    }
});
$('rates-more').addEventListener('click', () => {
    view.more();
    draw();
});
setInterval(age, 1000);
