// How prices, amounts and times are written. Numbers stay text; none is computed with binary floating point.

import {minus, quotient, rounded, shifted} from './decimal.js';

/** Shown in place of an unknown value. */
export const UNKNOWN = '–';

/** A decimal with its sign. A true minus sign is as wide as a plus sign in tabular figures. */
export function signed(text) {
    return text.startsWith('-') ? `−${text.slice(1)}` : /^[0.]+$/.test(text) ? text : `+${text}`;
}

/** The mark–index basis: mark less index, percent of the index; null where one of them is not known. */
export function basis(mark, index) {
    const ratio = mark === null || index === null ? null : quotient(mark, index, 8);
    return ratio === null ? null : signed(rounded(shifted(minus(ratio, '1'), 2), 4));
}

/** A decimal with its thousands apart; the digits after the point stay as they are. */
export function grouped(number) {
    const [whole, fraction] = String(number).split('.');
    const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    return fraction === undefined ? apart : `${apart}.${fraction}`;
}

/** Spaces behind a number that put the points of a right-aligned column, with `most` decimals at most, below one another. */
export function padding(text, most) {
    const point = text.indexOf('.');
    const decimals = point < 0 ? 0 : text.length - point - 1;
    return (point < 0 && most > 0 ? '\u2008' : '') + '\u2007'.repeat(Math.max(0, most - decimals));
}

/** Numbers of more decimals than these are not aligned, or one of 26 would push all others aside. */
const ALIGNED = 9;

/** The most decimals of any number in a column that is aligned. */
export function mostDecimals(texts) {
    const decimals = texts.map(text => (text?.includes('.') ? text.length - text.indexOf('.') - 1 : 0));
    return Math.max(0, ...decimals.filter(count => count <= ALIGNED));
}

/** Date and time in UTC, to the minute or to the second. */
export function utc(epochMs, seconds = false) {
    return `${new Date(Number(epochMs)).toISOString().replace('T', ' ').slice(0, seconds ? 19 : 16)} UTC`;
}

/** The same instant on this machine's clock, with the date where it differs; empty on a machine in UTC. */
export function local(epochMs) {
    const at = new Date(Number(epochMs));
    const offsetMs = at.getTimezoneOffset() * 60_000;
    if (offsetMs === 0) {
        return '';
    }
    const here = new Date(at.getTime() - offsetMs).toISOString();
    return `${here.slice(0, 10) === at.toISOString().slice(0, 10) ? '' : `${here.slice(5, 10)} `}${here.slice(11, 16)} local`;
}

/** An instant for the name of a file: 20261125T044500Z. */
export function stamp(epochMs) {
    return new Date(Number(epochMs)).toISOString().replace(/[-:]|\.\d+/g, '');
}

export function clock(epochMs) {
    return new Date(Number(epochMs)).toISOString().slice(11, 16);
}

/** A time span in its two largest units. */
export function span(ms) {
    const s = Math.max(0, Math.floor(ms / 1000));
    if (s < 120) {
        return `${s} s`;
    }
    const minutes = Math.floor(s / 60);
    if (minutes < 60) {
        return `${minutes} min`;
    }
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A time span in one unit, for cells: 34s, 4m, 2h, 3d. */
export function shortSpan(ms) {
    const s = Math.max(0, Math.floor(ms / 1000));
    return s < 120 ? `${s}s` : s < 7200 ? `${Math.floor(s / 60)}m` : s < 172800 ? `${Math.floor(s / 3600)}h` : `${Math.floor(s / 86400)}d`;
}

/** When something falls due, seen from now. */
export function until(epochMs, now) {
    const left = Number(epochMs) - now;
    return left < 0 ? `was due ${span(-left)} ago` : `in ${span(left)}`;
}
