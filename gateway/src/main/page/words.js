// What the words of the service mean, in a line each.

export const KINDS = {
    estimate: {short: 'est', word: 'estimate', meaning: 'changes until the settlement'},
    fixed: {short: 'fix', word: 'fixed', meaning: 'applies to the next settlement'},
    last_settled: {short: 'last', word: 'last settled', meaning: 'was charged at the last settlement'},
    continuous: {short: 'cont', word: 'continuous', meaning: 'accrues continuously'},
};

export const INTERVAL_SOURCES = {
    row: 'published with the rate',
    instrument_list: 'from the instrument list',
    announced_settlements: 'between announced settlements',
    documented: 'documented by the exchange',
};

export const SOURCES = {
    live: {word: 'Live', meaning: 'Read from the exchanges themselves.'},
    simulated: {word: 'SIMULATED', meaning: 'No rate or price on this page is real.'},
    replay: {word: 'REPLAY', meaning: 'Recorded rates and prices of another time, not of now.'},
};

/** Why a pair is not ranked. */
export const PAIR_REASONS = {
    history_being_read: 'the settled history of a leg’s exchange is still being read',
    listed_in_window: 'a leg was listed less than 30 days ago',
    service_started: 'this service has not read 30 days yet',
    gap: 'settlements are missing in between',
    relisted: 'a leg was listed again within the 30 days',
    settlement_pending: 'a settlement of the window is not known yet',
    history_capped: 'the exchange publishes no older settlements',
    unconfirmed: 'the exchange’s settled history lacks a settlement that was estimated',
    prices_not_compared: 'the two were never read within an hour of each other, or one has no price',
    contradictory: 'a leg has more settlements than its intervals allow',
};

export const BASES = {
    settled: 'published by the exchange as settled',
    accrued: 'accrued hour by hour, by the exchange’s own history',
    estimate: 'the last raw quote before the settlement',
};

/** A word of the service as people write it. */
export function plainWord(word) {
    return word.replaceAll('_', ' ');
}

/** Of kinds of rates that a later release may add, the word itself. */
export function kind(word) {
    return KINDS[word] ?? {short: word.slice(0, 4), word: plainWord(word), meaning: ''};
}
