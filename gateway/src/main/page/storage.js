// What this browser remembers; without storage, nothing. None of it leaves the machine but in an address that is passed on.

/** The text that is remembered under a key; null where there is none. */
export function remembered(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

/** Remembers a text as long as the browser does; else until the page is left. */
export function remember(key, value) {
    try {
        localStorage.setItem(key, value);
    } catch {
        // A browser may have no storage, or none that is free.
    }
}

/** The assets on the watch-list, in the order in which they were added. */
export function watched() {
    try {
        const kept = JSON.parse(remembered('watch-list') ?? '[]');
        return Array.isArray(kept) ? kept.filter(asset => typeof asset === 'string') : [];
    } catch {
        return [];
    }
}

/** Adds an asset to the watch-list or takes it off. */
export function toggle(asset) {
    const before = watched();
    remember('watch-list', JSON.stringify(before.includes(asset) ? before.filter(one => one !== asset) : [...before, asset]));
}
