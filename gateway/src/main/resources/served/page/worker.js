// Parses responses in a thread of its own: megabytes of JSON would block the page. It keeps the list that changes are applied to.

import {applied} from './delta.js';
import {parse} from './json.js';
import {pack} from './rows.js';

let known = {tag: '', rows: []};

onmessage = ({data: {id, bytes, asColumns, tag}}) => {
    try {
        const body = parse(new TextDecoder().decode(bytes));
        if (tag) {
            body.tag ??= tag;
            known = {tag: body.tag, rows: body.delta ? applied(known, body) : body.rows};
            body.rows = known.rows;
        }
        if (asColumns) {
            body.rows = pack(body.rows);
        }
        postMessage({id, body});
    } catch (e) {
        postMessage({id, error: String(e)});
    }
};
