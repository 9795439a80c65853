// Requests one endpoint again and again while it is followed, and never before the service has something new.

const TRY_AGAIN_S = 15;
/** The service ends a response that is not read within 60 s. */
const LONGEST_MS = 70_000;

const MEANINGS = {
    400: 'The service cannot read the parameters of this view',
    429: 'Too many requests from here',
    503: 'The service is starting',
};

/** How long a response stays the newest, seconds; 0 where the service does not state it. */
function maxAge(response) {
    return Number(/max-age=(\d+)/.exec(response.headers.get('Cache-Control') ?? '')?.[1] ?? 0);
}

/** One endpoint, requested while its view is open. */
export class Feed {
    #timer = 0;
    #turn = 0;
    #dueAt = 0;
    #address = '';
    #active = false;
    #trouble = null;
    #since = '';

    /**
     * Requests every so many seconds, or later where a response stays the newest for longer; with `changes`, what has changed since the last
     * response of that address. `arrived` takes each response, how far this machine’s clock is behind the service’s (ms), and the address.
     * `trouble` takes what went wrong, and null once that is over.
     */
    constructor({everyS, changes, arrived, trouble}) {
        this.everyS = everyS;
        this.changes = changes;
        this.arrived = arrived;
        this.troubled = trouble;
        document.addEventListener('visibilitychange', () => this.#due());
    }

    /** Requests this address from now on; where it is followed already, only when it is due. Without one, nothing. */
    follow(address) {
        this.#active = Boolean(address);
        if (address && address !== this.#address) {
            this.#address = address;
            this.#since = '';
            this.#turn++;
            this.#dueAt = 0;
            clearTimeout(this.#timer);
            this.#tell(null);
        }
        this.#due();
    }

    /** Not before it is due, as the service may have set a time to wait. A hidden page requests nothing; what is due stays due. */
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
            const response = await fetch(address + this.#since, {signal: AbortSignal.timeout(LONGEST_MS)});
            const sent = Date.parse(response.headers.get('Date') ?? '');
            behind = Number.isNaN(sent) ? 0 : sent - Date.now();
            body = await response.json().catch(e => (e instanceof SyntaxError ? {reason: e.message} : Promise.reject(e)));
            if (response.ok && body.meta) {
                wait = Math.max(this.everyS, maxAge(response));
            } else {
                const after = Number(response.headers.get('Retry-After'));
                wait = Math.max(1, after || TRY_AGAIN_S);
                words = `${MEANINGS[response.status] ?? `The service returned ${response.status}`}: ${body.reason ?? 'no reason given'}`;
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
            this.#since = this.changes ? `&since=${body.meta.tag}` : '';
            this.arrived(body, behind, address);
        }
    }
}
