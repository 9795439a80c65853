// Exact arithmetic on plain decimals that stay text. A JSON number read as a double may print another last digit.

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/** A plain decimal as a whole number and how many of its digits follow the point. */
export function decimal(text) {
    const match = PLAIN.exec(text);
    if (!match) {
        throw new TypeError(`not a plain decimal: ${text}`);
    }
    const [, sign, whole, fraction = ''] = match;
    const value = BigInt(whole + fraction);
    return {value: sign ? -value : value, scale: fraction.length};
}

/** A whole number of units of 10^-scale, in plain notation with exactly that many decimals. */
export function plain(value, scale) {
    const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return value < 0n ? `-${text}` : text;
}

/** The same value without zeros at the end. */
export function stripped(text) {
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function aligned(a, b) {
    const x = decimal(a);
    const y = decimal(b);
    const scale = Math.max(x.scale, y.scale);
    return [x.value * 10n ** BigInt(scale - x.scale), y.value * 10n ** BigInt(scale - y.scale), scale];
}

/** Negative, 0 or positive, as a is less than, equal to or greater than b. */
export function compare(a, b) {
    const [x, y] = aligned(a, b);
    return x < y ? -1 : x > y ? 1 : 0;
}

/** a − b, exactly, without zeros at the end. */
export function minus(a, b) {
    const [x, y, scale] = aligned(a, b);
    return stripped(plain(x - y, scale));
}

/** a × b, exactly, without zeros at the end. */
export function times(a, b) {
    const [x, y] = [decimal(a), decimal(b)];
    return stripped(plain(x.value * y.value, x.scale + y.scale));
}

/** A quotient of whole numbers, rounded half to even. */
function divided(value, by) {
    const negative = (value < 0n) !== (by < 0n);
    const top = value < 0n ? -value : value;
    const bottom = by < 0n ? -by : by;
    let whole = top / bottom;
    const rest = 2n * (top % bottom);
    if (rest > bottom || (rest === bottom && whole % 2n === 1n)) {
        whole += 1n;
    }
    return negative ? -whole : whole;
}

/** The decimal point moved to the right by so many places; every digit is kept. */
export function shifted(text, places) {
    const {value, scale} = decimal(text);
    return scale >= places ? stripped(plain(value, scale - places)) : plain(value * 10n ** BigInt(places - scale), 0);
}

/** A decimal rounded half to even to so many decimals. What is not zero is never shown as zero: it keeps all its digits. */
export function rounded(text, digits) {
    const {value, scale} = decimal(text);
    if (scale <= digits) {
        return plain(value * 10n ** BigInt(digits - scale), digits);
    }
    const short = divided(value, 10n ** BigInt(scale - digits));
    return short === 0n && value !== 0n ? stripped(text) : plain(short, digits);
}

/** a / b, rounded half to even to so many decimals; null when b is zero. */
export function quotient(a, b, digits) {
    const [x, y] = aligned(a, b);
    return y === 0n ? null : plain(divided(x * 10n ** BigInt(digits), y), digits);
}
