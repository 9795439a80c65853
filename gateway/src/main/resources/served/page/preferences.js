// What this browser remembers of how a reader wants the page: its theme, and the unit of rates.

import {$, put} from './dom.js';
import {chooseUnit} from './units.js';

const THEMES = ['auto', 'light', 'dark'];

function remembered(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        // Without storage the defaults hold.
        return null;
    }
}

function remember(key, value) {
    try {
        localStorage.setItem(key, value);
    } catch {
        // It holds until the page is left.
    }
}

/** Applies what is remembered and binds the two controls; `unitChanged` redraws the view. */
export function bindPreferences(unitChanged) {
    theme();
    const select = $('unit');
    select.value = remembered('unit') ?? 'percent';
    if (select.selectedIndex < 0) {
        select.value = 'percent';
    }
    chooseUnit(select.value);
    select.addEventListener('change', () => {
        chooseUnit(select.value);
        remember('unit', select.value);
        unitChanged();
    });
}

function theme() {
    let at = 'auto';
    const set = name => {
        at = THEMES.includes(name) ? name : 'auto';
        document.documentElement.dataset.theme = at;
        put($('theme'), `Theme: ${at}`);
    };
    set(remembered('theme'));
    $('theme').addEventListener('click', () => {
        set(THEMES[(THEMES.indexOf(at) + 1) % THEMES.length]);
        remember('theme', at);
    });
}
