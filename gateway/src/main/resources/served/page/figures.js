// Figures stay the decimals that the service wrote: JSON numbers would become doubles, and a double may print another last digit.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The value of a JSON text in which every number is the text it was written as. */
export function parse(text) {
    return JSON.parse(text.replace(TOKEN, token => token.charCodeAt(0) === 34 ? token : `"${token}"`));
}

/**
 * A plain decimal times a power of ten, rounded half even to so many digits after the point. What is not zero is never shown as
 * zero: it keeps all its digits.
 */
export function scaled(text, power, digits) {
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
    let value = BigInt(whole + fraction);
    let scale = fraction.length - power;
    if (scale < digits) {
        value *= 10n ** BigInt(digits - scale);
        scale = digits;
    }
    const unit = 10n ** BigInt(scale - digits);
    let rounded = value / unit;
    const rest = 2n * (value % unit);
    if (rest > unit || (rest === unit && rounded % 2n === 1n)) {
        rounded += 1n;
    }
    const exact = rounded === 0n && value !== 0n;
    const plain = exact ? point(value, scale).replace(/0+$/, '') : point(rounded, digits);
    return (sign && value !== 0n ? '−' : '') + plain;
}

function point(value, scale) {
    const padded = value.toString().padStart(scale + 1, '0');
    return scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** A fraction as percent, its sign always shown. */
export function percent(text, digits) {
    const shown = scaled(text, 2, digits);
    return `${shown.startsWith('−') || /^[0.]*$/.test(shown) ? shown : '+' + shown} %`;
}

/** A whole number with its thousands apart. */
export function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Date and time in UTC, to the minute or to the second. */
export function utc(epochMs, seconds) {
    return new Date(Number(epochMs)).toISOString().replace('T', ' ').slice(0, seconds ? 19 : 16) + ' UTC';
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
