// A table as a file of comma-separated values.

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A field: quoted where it has to be. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function field(value) {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Comma-separated values (RFC 4180); numbers have the digits that the service wrote.
 *
 * @param {string[]} names fields, in order
 * @param {Object<string, string|boolean|null>[]} rows
 */
export function csv(names, rows) {
    const lines = [names, ...rows.map(row => names.map(name => row[name]))].map(values => values.map(field).join(','));
    return `${lines.join('\r\n')}\r\n`;
}

/** Gives a text to the reader as a file. */
export function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], {type: 'text/csv;charset=utf-8'}));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
