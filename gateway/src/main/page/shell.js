// The frame around every view: the source of the rates, their age, how much is there, what went wrong.

import {$, element, put, time} from './dom.js';
import {grouped, span, utc} from './figures.js';
import {SOURCES} from './words.js';

const TITLES = {matrix: 'Matrix', asset: 'Asset', pairs: 'Pairs', exchanges: 'Exchanges', read: 'How to read it'};
const OLD_MS = 180_000;

export class Shell {
    #app;
    #meta = null;
    #troubles = new Map();
    #needed = [];

    constructor(app) {
        this.#app = app;
    }

    /** The feeds whose troubles matter to the view that is open. */
    needs(keys) {
        this.#needed = keys;
        this.#state();
    }

    /** What went wrong with a feed; null once it is over. */
    trouble(key, what) {
        this.#troubles.set(key, what);
        this.#state();
    }

    #state() {
        const what = this.#needed.map(key => this.#troubles.get(key)).find(Boolean);
        $('trouble').hidden = !what;
        put($('state'), what ? `${what.words}. Trying again in ${span(Math.max(0, what.dueAt - Date.now() + 999))}.${
            this.#meta ? ` Shown is what was read at ${utc(this.#meta.generated_at_ms, true)}.` : ''}` : '');
    }

    /** Shows a view, and the source and age of its rates. */
    draw(view, answer, venues) {
        document.querySelectorAll('main > section').forEach(section => (section.hidden = section.id !== view));
        document.querySelectorAll('#views a').forEach(link => (link.ariaCurrent = link.dataset.view === view ? 'page' : null));
        const coin = this.#app.route.asset;
        if (coin) {
            $('to-asset').href = location.hash;
            put($('to-asset'), coin);
        }
        if (answer) {
            this.#meta = answer.meta;
            this.#source(answer.meta.source);
            this.#facts(answer.meta, venues);
            this.age();
        }
        const word = SOURCES[this.#meta?.source]?.word;
        const shown = view === 'asset' ? coin : TITLES[view];
        document.title = `${word && word !== 'Live' ? `${word}: ` : ''}${shown} · Funding Observatory`;
    }

    #source(name) {
        const known = SOURCES[name];
        const {word, meaning} = known ?? {word: 'Source not known', meaning: 'No exchange has been read yet: no rate on this page is certain.'};
        const strip = $('source');
        if (strip.dataset.source !== String(name)) {
            strip.dataset.source = String(name);
            strip.className = `source ${known ? name : 'unknown'}`;
            put($('source-word'), word);
            put($('source-meaning'), meaning);
            document.documentElement.dataset.source = known ? name : 'unknown';
        }
    }

    #facts(meta, venues) {
        $('generated').replaceChildren(time(meta.generated_at_ms, utc(meta.generated_at_ms, true).slice(11)));
        put($('release'), meta.release);
        const scope = meta.scope?.venues.length;
        const observed = venues?.rows.filter(row => row.in_current_observation).length;
        $('coverage').replaceChildren(...[
            scope === undefined ? '' : `${meta.coverage} of ${scope} here`,
            scope !== undefined && observed !== undefined ? ' · ' : '',
            observed === undefined ? '' : element('a', `${observed} of ${venues.rows.length} observed`, {href: '#/exchanges'}),
        ].filter(Boolean));
        put($('contracts'), venues ? grouped(venues.rows.reduce((sum, row) => sum + Number(row.symbols), 0)) : '–');
    }

    /** How old the rates are; it grows between two responses. */
    age() {
        if (this.#meta) {
            const old = this.#app.now() - Number(this.#meta.generated_at_ms);
            put($('age'), span(old));
            $('age').classList.toggle('warn', old > OLD_MS);
        }
    }
}
