// The scale of colours. Blue and orange are told apart by people who cannot tell red from green, and neither means good or bad.

/** Where a step begins: the size of the 8-hour rate, percent of notional. */
export const STEPS = [0.002, 0.01, 0.03, 0.1];

/** The step of an 8-hour rate, a fraction: 0 near zero, 1 to 4 where longs pay, -1 to -4 where shorts pay; NaN where it is not known. */
export function step(rate8h) {
    const size = Math.abs(rate8h) * 100;
    if (Number.isNaN(size)) {
        return NaN;
    }
    // 1e-9 of a step: 0.0001 × 100 is a double beside 0.01.
    const reached = STEPS.filter(from => size >= from * (1 - 1e-9)).length;
    return rate8h < 0 ? 0 - reached : reached;
}

/** The style class of a step. */
export function stepClass(rate8h) {
    const of = step(rate8h);
    return Number.isNaN(of) ? 'none' : of < 0 ? `short${-of}` : of > 0 ? `long${of}` : 'even';
}

/** Round numbers that divide a range into about so many parts. */
export function ticks(low, high, about) {
    if (!(high > low)) {
        return [low];
    }
    const raw = (high - low) / about;
    const power = 10 ** Math.floor(Math.log10(raw));
    const size = [1, 2, 5, 10].find(of => of * power >= raw * (1 - 1e-9)) * power;
    const found = [];
    for (let k = Math.ceil(low / size - 1e-9); k * size <= high + size * 1e-9; k++) {
        found.push(k * size);
    }
    return found;
}

/** How many decimals tell these numbers apart. */
export function decimalsOf(numbers) {
    const size = numbers.length > 1 ? Math.abs(numbers[1] - numbers[0]) : Math.abs(numbers[0]) || 1;
    return Math.max(0, Math.min(8, -Math.floor(Math.log10(size) + 1e-9)));
}
