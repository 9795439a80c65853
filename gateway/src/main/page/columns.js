// The columns of the matrix; `first` is the direction in which a heading orders when it is used first, true for descending.

export const COIN_COLUMNS = [
    {key: 'asset', title: 'Asset', first: false},
    {key: 'spread', title: 'Spread', first: true, hint: 'highest less lowest'},
    {key: 'high', title: 'Highest', first: true, hint: 'of linear contracts that are not stale'},
    {key: 'low', title: 'Lowest', first: false, hint: 'of linear contracts that are not stale'},
    {key: 'next', title: 'Next', first: false, hint: 'the first settlement that any of the contracts announces'},
];

/** Exchanges of the observation, then those that are missing; `reason` is why the list has no row of an exchange. */
export function venueColumns(meta, app) {
    const without = new Map(meta.missing.venues.map(one => [one.venue, one]));
    const observed = new Set(app.venues.filter(row => row.in_current_observation).map(row => row.venue));
    const venues = meta.scope.venues.map(venue => {
        const one = without.get(venue);
        // An observed exchange has been read: without a time, it only has none of the assets that were named.
        const absent = one?.since_ms === null && observed.has(venue) ? undefined : one;
        return {key: venue, venue, title: app.venueName(venue), reason: one?.reason, absent, first: true};
    });
    return [...venues.filter(one => !one.absent), ...venues.filter(one => one.absent)];
}
