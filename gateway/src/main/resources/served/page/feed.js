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
    let readAt = 0;

    function later(seconds) {
        clearTimeout(timer);
        timer = setTimeout(read, seconds * 1000);
    }

    async function read() {
        clearTimeout(timer);
        if (document.hidden && readAt > 0) {
            // Nobody looks: it is read as soon as somebody does.
            return;
        }
        const mine = ++turn;
        let wait = TRY_AGAIN_S;
        try {
            const response = await fetch(address());
            const text = await response.text();
            if (mine !== turn) {
                return;
            }
            readAt = Date.now();
            if (response.ok) {
                const sent = Date.parse(response.headers.get('Date') ?? '');
                arrived(parse(text), Number.isNaN(sent) ? 0 : sent - readAt);
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
        if (!document.hidden && Date.now() - readAt > REFRESH_S * 1000) {
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
