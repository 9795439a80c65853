// Reads one address again and again: about once a minute when it answers, when it says so when it does not.

import {parsed} from './parser.js';

const REFRESH_S = 60;
const TRY_AGAIN_S = 15;

const MEANINGS = {
    400: 'The service cannot read this view',
    429: 'Too many requests from here',
    501: 'Not there yet',
    503: 'The service is starting',
};

/**
 * One address, read while somebody looks at it.
 *
 * @callback Arrived
 * @param {any} body the answer, every number as text
 * @param {number} behind how far this machine's clock is behind the service's, milliseconds
 * @param {string} address what was read
 */
export class Feed {
    #timer = 0;
    #turn = 0;
    #dueAt = 0;
    #address = '';
    #active = false;
    #trouble = null;

    /**
     * @param {object} told
     * @param {boolean} [told.asColumns] whether rows come as columns
     * @param {Arrived} told.arrived takes each answer
     * @param {(trouble: {words: string, dueAt: number}|null) => void} told.trouble takes what went wrong and when it is tried again, and
     *     null once that is over
     */
    constructor({asColumns = false, arrived, trouble}) {
        this.asColumns = asColumns;
        this.arrived = arrived;
        this.troubled = trouble;
        document.addEventListener('visibilitychange', () => this.#due());
    }

    /** Reads this address from now on; of an address that is read already only what has fallen due. */
    follow(address) {
        this.#active = true;
        if (address !== this.#address) {
            this.#address = address;
            this.#turn++;
            this.#dueAt = 0;
            clearTimeout(this.#timer);
            this.#tell(null);
        }
        this.#due();
    }

    /** Nobody looks at it: nothing is read until it is followed again. */
    pause() {
        this.#active = false;
    }

    /** Not before it is due: what the service asked to wait is waited for. A hidden page reads nothing; what is due stays due. */
    #due() {
        if (this.#active && !document.hidden && Date.now() >= this.#dueAt) {
            this.#read();
        }
    }

    #later(seconds) {
        this.#dueAt = Date.now() + seconds * 1000;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#due(), seconds * 1000);
    }

    #tell(trouble) {
        if (trouble || this.#trouble) {
            this.#trouble = trouble;
            this.troubled(trouble);
        }
    }

    async #read() {
        clearTimeout(this.#timer);
        const mine = ++this.#turn;
        this.#dueAt = Infinity;
        let wait = TRY_AGAIN_S;
        let words = null;
        let body = null;
        let behind = 0;
        const address = this.#address;
        try {
            const response = await fetch(address);
            const sent = Date.parse(response.headers.get('Date') ?? '');
            behind = Number.isNaN(sent) ? 0 : sent - Date.now();
            body = await parsed(await response.arrayBuffer(), this.asColumns && response.ok).catch(e => ({reason: e.message}));
            if (response.ok && body.meta) {
                wait = REFRESH_S;
            } else {
                const asked = Number(response.headers.get('Retry-After'));
                wait = Math.max(1, asked || (response.status === 501 || response.status === 400 ? REFRESH_S : TRY_AGAIN_S));
                words = `${MEANINGS[response.status] ?? `The service answered ${response.status}`}: ${body.reason ?? 'no reason given'}`;
            }
        } catch {
            words = 'The service cannot be reached';
        }
        if (mine !== this.#turn) {
            return;
        }
        this.#later(wait);
        this.#tell(words && {words, dueAt: this.#dueAt});
        if (!words) {
            this.arrived(body, behind, address);
        }
    }
}
