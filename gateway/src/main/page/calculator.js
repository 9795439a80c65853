// What a notional pays or receives at the rates that are shown: notional × rate, exactly.

import {minus, times} from './decimal.js';

const AMOUNT = /^\d{1,15}(?:\.\d{1,8})?$/;

/** An amount that a reader wrote, as a plain decimal above zero; null where it is none. */
export function amount(text) {
    const written = text.trim();
    return AMOUNT.test(written) && /[1-9]/.test(written) ? written : null;
}

/** Payments of one contract, in its quote currency: positive where the side receives, null where they cannot be computed. */
export function payments(row, notional, side) {
    const of = (rate, settlements) => {
        // A quanto contract settles in a third currency at a fixed price.
        if (rate === null || row.contract_type === 'quanto') {
            return null;
        }
        const received = times(times(rate, notional), settlements);
        return side === 'short' ? received : minus('0', received);
    };
    return {settlement: of(row.funding_rate, '1'), eight: of(row.funding_rate_8h, '1'), day: of(row.funding_rate_8h, '3')};
}
