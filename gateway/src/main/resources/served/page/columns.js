// The columns of the matrix; `first` is the direction in which a heading orders when it is used first, true for descending.

export const COIN_COLUMNS = [
    {key: 'asset', title: 'Asset', first: false},
    {key: 'spread', title: 'Spread', first: true, hint: 'highest less lowest'},
    {key: 'high', title: 'Highest', first: true, hint: 'of linear contracts that are not stale'},
    {key: 'low', title: 'Lowest', first: false, hint: 'of linear contracts that are not stale'},
    {key: 'next', title: 'Next', first: false, hint: 'the first settlement that any of the contracts announces'},
];

/** Exchanges with rows, then those that are missing with their reasons. */
export function venueColumns(meta, venueName) {
    const absent = new Map(meta.missing.venues.map(one => [one.venue, one]));
    const venues = meta.scope.venues.map(venue => ({key: venue, venue, title: venueName(venue), absent: absent.get(venue), first: true}));
    return [...venues.filter(one => !one.absent), ...venues.filter(one => one.absent)];
}
