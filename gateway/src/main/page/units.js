// The unit in which rates are written: percent, basis points, or the fraction that the service wrote.

import {rounded, shifted} from './decimal.js';
import {signed} from './figures.js';

/**
 * Units by name: the word in a heading, what follows a rate, what follows a difference of two rates, and by how many places the
 * decimal point of a fraction moves.
 */
const UNITS = {
    percent: {word: '%', after: ' %', apart: ' pp', places: 2, notional: 'Percent of notional'},
    bps: {word: 'bps', after: ' bps', apart: ' bps', places: 4, notional: 'Basis points (0.01 %) of notional'},
    fraction: {word: 'fraction', after: '', apart: '', places: 0, notional: 'Fraction of notional'},
};
let chosen = UNITS.percent;

/** Writes all rates in this unit from now on; in percent where the name is unknown. */
export function chooseUnit(name) {
    chosen = UNITS[name] ?? UNITS.percent;
}

/** The unit in which rates are written now. */
export function unit() {
    return chosen;
}

/** A rate without its unit, rounded, its sign always shown; `digits` are the decimals that percent would have. */
export function shortRate(fraction, digits) {
    return signed(rounded(shifted(fraction, chosen.places), Math.max(0, digits + 2 - chosen.places)));
}

/** A rate without its unit, with all the digits that the service wrote. */
export function exactRate(fraction) {
    return signed(shifted(fraction, chosen.places));
}

/** The same columns; headings of rates have the unit. */
export function withUnit(columns) {
    return columns.map(column => (column.rate ? {...column, title: `${column.title}, ${chosen.word}`} : column));
}
