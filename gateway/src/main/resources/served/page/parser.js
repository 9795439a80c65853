// The page's end of the worker that parses responses.

// Two addresses of scripts are all that this page loads: its modules and this one.
const policy = globalThis.trustedTypes?.createPolicy('page-worker', {createScriptURL: address => address});
const address = new URL('./worker.js', import.meta.url).href;
const waiting = new Map();
let turn = 0;
let worker = start();

function start() {
    const started = new Worker(policy ? policy.createScriptURL(address) : address, {type: 'module'});
    started.onmessage = ({data: {id, body, error}}) => {
        const {resolve, reject} = waiting.get(id);
        waiting.delete(id);
        if (error === undefined) {
            resolve(body);
        } else {
            reject(new Error(error));
        }
    };
    started.onerror = event => {
        event.preventDefault();
        waiting.forEach(({reject}) => reject(new Error(`the parser failed: ${event.message ?? 'it could not be loaded'}`)));
        waiting.clear();
        // One whose script could not be loaded never responds: the next response gets another.
        started.terminate();
        worker = null;
    };
    return started;
}

/**
 * The value of a JSON response, every number as text.
 *
 * @param {ArrayBuffer} bytes the response; it is handed over and empty afterwards
 * @param {boolean} asColumns whether its rows come as columns
 * @param {string} tag of a list that changes are requested for later; empty for any other response
 * @returns {Promise<any>}
 */
export function parsed(bytes, asColumns, tag) {
    return new Promise((resolve, reject) => {
        waiting.set(++turn, {resolve, reject});
        worker ??= start();
        worker.postMessage({id: turn, bytes, asColumns, tag}, [bytes]);
    });
}
