// Reads one address again and again: about once a minute when it answers, when it says so when it does not.

import {parse} from './figures.js';

const REFRESH_S = 60;
const TRY_AGAIN_S = 15;

/**
 * Tells what comes of an address.
 *
 * @param address returns the address to read
 * @param arrived takes the body of each answer, and how far this machine's clock is behind the service's, in milliseconds
 * @param trouble takes words for what went wrong, and the seconds until it is tried again
 */
export function feed(address, arrived, trouble) {
    let timer = 0;
    let turn = 0;
    let dueAt = 0;

    function later(seconds) {
        clearTimeout(timer);
        timer = setTimeout(read, seconds * 1000);
        dueAt = Date.now() + seconds * 1000;
    }

    async function read() {
        clearTimeout(timer);
        if (document.hidden && dueAt > 0) {
            // A hidden page reads nothing; it stays due, and is read when the page is shown again.
            return;
        }
        const mine = ++turn;
        dueAt = Infinity;
        let wait = TRY_AGAIN_S;
        try {
            const response = await fetch(address());
            const text = await response.text();
            if (mine !== turn) {
                return;
            }
            if (response.ok) {
                const sent = Date.parse(response.headers.get('Date') ?? '');
                arrived(parse(text), Number.isNaN(sent) ? 0 : sent - Date.now());
                wait = REFRESH_S;
            } else {
                wait = Math.max(1, Number(response.headers.get('Retry-After')) || (response.status === 501 ? REFRESH_S : TRY_AGAIN_S));
                trouble(words(response, text), wait);
            }
        } catch (e) {
            if (mine !== turn) {
                return;
            }
            console.error(e);
            trouble('The service cannot be reached, or its answer cannot be read', wait);
        }
        later(wait);
    }

    document.addEventListener('visibilitychange', () => {
        // Not before it is due: what the service asked to wait is waited for.
        if (!document.hidden && Date.now() >= dueAt) {
            read();
        }
    });
    read();
    return read;
}

function words(response, text) {
    const starts = {
        429: 'Too many requests from here',
        501: 'Not there yet',
        503: 'The service is starting',
    };
    const start = starts[response.status] ?? `The service answered ${response.status}`;
    try {
        return `${start}: ${parse(text).reason}`;
    } catch {
        return start;
    }
}
