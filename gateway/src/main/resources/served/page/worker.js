// Parses answers beside the page: megabytes of JSON would hold it up.

import {parse} from './json.js';
import {pack} from './rows.js';

onmessage = ({data: {id, bytes, asColumns}}) => {
    try {
        const body = parse(new TextDecoder().decode(bytes));
        if (asColumns) {
            body.rows = pack(body.rows);
        }
        postMessage({id, body});
    } catch (e) {
        postMessage({id, error: String(e)});
    }
};
