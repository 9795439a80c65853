// Tables as files of comma-separated values. Rates are fractions, with the digits that the service wrote.

/** Fields of a pair that are objects or null. */
const PARTS = new Set(['best_day', 'worst_day']);
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A field: quoted where it has to be. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function field(value) {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives rows to the reader as a file (RFC 4180), with these fields in this order. */
export function download(name, names, rows) {
    const lines = [names, ...rows.map(row => names.map(one => row[one]))].map(values => values.map(field).join(','));
    const address = URL.createObjectURL(new Blob([`${lines.join('\r\n')}\r\n`], {type: 'text/csv;charset=utf-8'}));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** An object without objects in it: the field `venue` of `short` becomes `short_venue`. A part that is null has no column of its own. */
export function flat(entry) {
    return Object.fromEntries(Object.entries(entry).flatMap(([name, value]) => (value !== null && typeof value === 'object'
        ? Object.entries(flat(value)).map(([inner, one]) => [`${name}_${inner}`, one])
        : value === null && PARTS.has(name) ? [] : [[name, value]])));
}
