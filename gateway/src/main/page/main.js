// Puts the page together: which view the address asks for, which responses it needs, and who draws them.

import {Asset} from './asset.js';
import {bindControls, drawControls} from './controls.js';
import {$} from './dom.js';
import {Exchanges} from './exchanges.js';
import {Feed} from './feed.js';
import {Matrix} from './matrix.js';
import {Pairs, pairsAddress} from './pairs.js';
import {drawCommands, drawReading} from './reading.js';
import {bindPreferences} from './preferences.js';
import {latestAddress, parseRoute, routeTo} from './route.js';
import {Rows} from './rows.js';
import {Shell} from './shell.js';
import {toggle, watched} from './storage.js';

/** Assets that one request may name, well below what the service takes for a sweep. */
const NAMES_AT_MOST = 30;
const AGES_AGAIN_MS = 15_000;
/** Changes cost 1 point of the 120 that an address has a minute, the first list 6: twenty views behind one address are never refused. */
const RATES_S = 15;
/** Pairs change with settlements, and the state of venues once a minute. */
const OTHERS_S = 60;

let clockBehind = 0;
let late = false;
let route = parseRoute(location.hash) ?? parseRoute('');
let marked = new Set(watched());
const answers = {list: null, coin: null, usual: null, carry: null, venues: null, index: null};

/** What the views may ask of the page. */
const app = {
    now: () => Date.now() + clockBehind,
    get list() { return answers.list; },
    get route() { return route; },
    address: routeTo,
    venueName: id => answers.venues?.names.get(id) ?? id,
    get venues() { return answers.venues?.rows ?? []; },
    isWatched: asset => marked.has(asset),
    /** The rates that a view of pairs goes with, once they are there. */
    ratesOf: options => (options.get('asset') ? answers.coin : answers.list)?.rows ?? null,
    go(view, options = {}, asset = '') {
        location.hash = routeTo(view, options, asset);
    },
    /** Another setting of the view that is open: no step back in the browser's history. */
    change(options) {
        history.replaceState(null, '', routeTo(route.view, {...Object.fromEntries(route.options), ...options}, route.asset));
        moved();
    },
    watch(asset) {
        toggle(asset);
        app.watchChanged(watched());
    },
    watchChanged(list) {
        marked = new Set(list);
        views.asset.watching();
        views.matrix.tick();
        drawControls(app);
    },
};

const shell = new Shell(app);
const views = {matrix: new Matrix(app), asset: new Asset(app), pairs: new Pairs(app), exchanges: new Exchanges(app)};

/** What is kept of a response, where that is not the response itself. */
const kept = {
    list: (body, before) => ({...body, rows: new Rows(body, before?.rows)}),
    coin: (body, before) => ({...body, rows: new Rows(body, before?.rows)}),
    venues: body => ({...body, names: new Map(body.rows.map(row => [row.venue, row.name]))}),
};
const feeds = Object.fromEntries(Object.keys(answers).map(key => [key, new Feed({
    everyS: ['list', 'coin'].includes(key) ? RATES_S : OTHERS_S,
    changes: ['list', 'coin'].includes(key),
    arrived(body, behind, address) {
        clockBehind = behind;
        answers[key] = {...(kept[key]?.(body, answers[key]) ?? body), address};
        drawUnlessInUse();
    },
    trouble: what => shell.trouble(key, what),
})]));

/** The addresses that the view needs now, by feed. */
function needed() {
    const {view, asset, options} = route;
    const scope = options.get('scope') ?? '';
    const named = view === 'matrix' ? (options.get('assets') ?? '').split(',').filter(Boolean) : [];
    const venues = '/api/v1/venues?numbers=text';
    switch (view) {
        case 'asset':
            return {coin: latestAddress('all', [asset]), venues, usual: pairsAddress(new URLSearchParams({asset, scope: 'all', more: 1}))};
        case 'pairs': {
            const [one, other] = ['venue', 'with'].map(name => options.get(name));
            const rates = latestAddress(one && other ? `${one},${other}` : scope, options.get('asset') ? [options.get('asset')] : []);
            return {carry: pairsAddress(options), venues, ...(options.get('asset') ? {coin: rates} : {list: rates})};
        }
        case 'exchanges':
            return {venues};
        case 'read':
            return {venues, index: '/api/v1'};
        default:
            return {list: latestAddress(scope, named.length <= NAMES_AT_MOST ? named : []), venues};
    }
}

function follow() {
    const addresses = needed();
    // A coin is shown without its 30 days where these are not there.
    shell.needs(Object.keys(addresses).filter(key => key !== 'usual'));
    Object.entries(feeds).forEach(([key, feed]) => feed.follow(addresses[key]));
}

/** The response of a feed, when it is of the address that the view needs. */
const current = key => (answers[key]?.address === needed()[key] ? answers[key] : null);

function draw() {
    const {view, asset, options} = route;
    drawControls(app);
    shell.draw(view, {matrix: answers.list, asset: current('coin') ?? answers.list, pairs: current('carry')}[view] ?? answers.venues, answers.venues);
    ({
        // Until its own response is there, what a list that is there already has of the asset.
        asset: () => views.asset.draw(asset, current('coin') ?? (holds(asset) ? answers.list : null), options, current('usual')),
        pairs: () => views.pairs.draw(options, current('carry')),
        exchanges: () => views.exchanges.draw(options, answers.venues),
        read: () => drawReading(answers.index),
        matrix() {
            if (answers.list) {
                views.matrix.draw(options);
            }
        },
    })[view]();
}

/** A new response waits while a reader has marked something to copy it, or uses an opened pair. */
function drawUnlessInUse() {
    const marking = getSelection();
    late = (marking.type === 'Range' && $('main').contains(marking.anchorNode)) || Boolean(document.activeElement?.closest('tr.opened'));
    if (!late) {
        draw();
    }
}

for (const type of ['selectionchange', 'focusin']) {
    document.addEventListener(type, () => late && drawUnlessInUse());
}

const holds = asset => answers.list?.rows.column('asset').includes(asset.toUpperCase()) ?? false;

function moved() {
    const before = route;
    const next = parseRoute(location.hash);
    if (!next) {
        // A place on the page is no view.
        return;
    }
    route = next;
    if (before.view !== route.view || before.asset !== route.asset) {
        $(route.view).scrollTop = 0;
    }
    follow();
    draw();
}

addEventListener('hashchange', moved);
addEventListener('storage', () => app.watchChanged(watched()));
bindControls(app);
bindPreferences(() => draw());
drawCommands();
follow();
draw();
setInterval(() => shell.age(), 1000);
setInterval(() => {
    if (!document.hidden && route.view === 'matrix' && answers.list) {
        views.matrix.tick();
    }
}, AGES_AGAIN_MS);
