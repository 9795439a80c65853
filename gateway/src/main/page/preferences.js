// What this browser remembers of how a reader wants the page: its theme, the unit of rates, and local times.

import {$, put} from './dom.js';
import {local} from './figures.js';
import {remember, remembered} from './storage.js';
import {chooseUnit} from './units.js';

/** Applies what is remembered and binds the controls; `unitChanged` redraws the view. */
export function bindPreferences(unitChanged) {
    cycle('theme', 'Theme', ['auto', 'light', 'dark']);
    cycle('times', 'Times', ['UTC + local', 'UTC']);
    // A machine on UTC has no second time to show.
    $('times').hidden = local(Date.now()) === '';
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

/** A button that goes through some values, the first of which holds until another is chosen. */
function cycle(id, word, values) {
    let at = values[0];
    const set = name => {
        at = values.includes(name) ? name : values[0];
        document.documentElement.dataset[id] = at;
        put($(id), `${word}: ${at}`);
    };
    set(remembered(id));
    $(id).addEventListener('click', () => {
        set(values[(values.indexOf(at) + 1) % values.length]);
        remember(id, at);
    });
}
