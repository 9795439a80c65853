// Everything that is set by hand: what is looked for, the scope, filters. Each setting is in the address.

import {SHOWN} from './cells.js';
import {shifted} from './decimal.js';
import {$, element, put} from './dom.js';
import {STEPS} from './scale.js';
import {exactRate, unit} from './units.js';
import {watched} from './storage.js';

const FILTERS = {'matrix-kind': 'kind', 'matrix-interval': 'interval', 'matrix-type': 'type', 'matrix-class': 'class', 'matrix-sort': 'sort'};

export function bindControls(app) {
    search(app);
    for (const [id, option] of Object.entries(FILTERS)) {
        $(id).addEventListener('change', event => app.change({[option]: event.target.value, ...(option === 'sort' ? {order: ''} : {})}));
    }
    document.querySelectorAll('input[name=show]').forEach(radio => radio.addEventListener('change', () => app.change({show: radio.value === '8h' ? '' : radio.value})));
    document.querySelectorAll('button[data-scope]').forEach(choice => choice.addEventListener('click', () => app.change({scope: choice.dataset.scope})));
    $('matrix-detail').addEventListener('change', event => app.change({plain: !event.target.checked}));
    $('matrix-watch').addEventListener('click', () => app.change({assets: app.route.options.get('assets') ? '' : watched().join(',')}));
    $('venues-form').addEventListener('change', () => {
        const chosen = [...$('venues-form').elements].filter(box => box.checked).map(box => box.value);
        app.change({scope: chosen.join(',')});
    });
    $('pairs-asset').addEventListener('change', event => app.change({asset: event.target.value.trim().toUpperCase(), pair: ''}));
    $('pairs-venue').addEventListener('change', event => app.change({venue: event.target.value, pair: ''}));
    $('pairs-with').addEventListener('change', event => app.change({with: event.target.value, pair: ''}));
    $('exchanges-show').addEventListener('change', event => app.change({show: event.target.value}));
    document.querySelectorAll('form').forEach(form => form.addEventListener('submit', event => event.preventDefault()));
    $('skip').addEventListener('click', event => {
        event.preventDefault();
        $('main').focus();
    });
}

/** One field: it narrows the matrix and the exchanges while it is written in, and Enter opens the asset at all exchanges. */
function search(app) {
    const field = $('find');
    field.addEventListener('input', () => {
        if (['matrix', 'exchanges'].includes(app.route.view)) {
            app.change({find: field.value.trim()});
        }
    });
    $('search').addEventListener('submit', () => {
        const wanted = field.value.trim().toUpperCase();
        if (wanted && app.route.view !== 'exchanges') {
            app.go('asset', {}, wanted);
        }
    });
    addEventListener('keydown', event => {
        if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) {
            event.preventDefault();
            field.focus();
            field.select();
        }
    });
}

/** Shows the settings of the view as the address has them. What a reader is using is left alone. */
export function drawControls(app) {
    const {view, asset, options} = app.route;
    const field = $('find');
    if (field !== document.activeElement) {
        field.value = view === 'asset' ? asset : options.get('find') ?? '';
    }
    const scope = options.get('scope') ?? '';
    document.querySelectorAll('button[data-scope]').forEach(choice => choice.setAttribute('aria-pressed', choice.dataset.scope === scope));
    const named = scope !== '' && scope !== 'all';
    $('venues-open').setAttribute('aria-pressed', named);
    put($('venues-open'), named ? `${scope.split(',').length} chosen …` : 'Choose …');
    choices(app, named ? new Set(scope.split(',')) : new Set());
    if (view === 'matrix') {
        matrix(options);
    }
}

function matrix(options) {
    for (const [id, option] of Object.entries(FILTERS)) {
        const value = options.get(option) ?? '';
        $(id).value = [...$(id).options].some(one => one.value === value) ? value : '';
    }
    const shown = SHOWN[options.get('show')] ? options.get('show') : '8h';
    document.querySelectorAll('input[name=show]').forEach(radio => (radio.checked = radio.value === shown));
    put($('matrix-caveat'), `${unit().notional} ${SHOWN[shown].caveat}`);
    legend();
    $('matrix-detail').checked = !options.get('plain');
    const assets = options.get('assets');
    const count = watched().length;
    $('matrix-watch').setAttribute('aria-pressed', Boolean(assets));
    put($('matrix-watch'), assets ? `★ Only ${assets.split(',').length} assets` : `☆ Watch-list (${count})`);
    $('matrix-watch').disabled = !assets && count === 0;
}

/** The colours with the 8-hour rates that they begin at, in the unit of the reader. */
function legend() {
    const sizes = STEPS.map(step => exactRate(shifted(String(step), -2)).slice(1));
    const words = [...sizes.map(size => `−${size}`).reverse(), '0', ...sizes.map(size => `+${size}`)];
    $('matrix-legend').setAttribute('aria-label', `Colours: 8-hour rate, ${unit().word}`);
    [...$('matrix-legend').children].forEach((item, i) => put(item, words[i]));
}

/** The exchanges to choose from, and those of the pairs; drawn again where their words have changed, and not while they are in use. */
function choices(app, named) {
    const words = JSON.stringify(app.venues.map(row => [row.venue, row.name, row.in_current_observation, row.default_scope]));
    for (const id of ['pairs-venue', 'pairs-with']) {
        const select = $(id);
        if (select.dataset.words !== words && select !== document.activeElement) {
            select.dataset.words = words;
            const value = app.route.options.get(id === 'pairs-venue' ? 'venue' : 'with') ?? '';
            select.replaceChildren(element('option', id === 'pairs-venue' ? 'any' : 'any other', {value: ''}),
                ...app.venues.map(row => element('option', row.in_current_observation ? row.name : `${row.name} (missing)`, {value: row.venue})));
            select.value = value;
        }
    }
    const form = $('venues-form');
    if (form.dataset.words !== words && !form.contains(document.activeElement)) {
        form.dataset.words = words;
        const group = (title, rows) => element('fieldset', [element('legend', title), ...rows.map(row => element('label', [
            element('input', '', {type: 'checkbox', value: row.venue}),
            element('span', row.in_current_observation ? row.name : `${row.name}: ${row.reason ?? 'missing'}`, {class: row.in_current_observation ? null : 'quiet'}),
        ]))]);
        form.replaceChildren(group('In the default scope', app.venues.filter(row => row.default_scope)), group('Outside it', app.venues.filter(row => !row.default_scope)));
    }
    form.querySelectorAll('input').forEach(box => (box.checked = named.has(box.value)));
}
