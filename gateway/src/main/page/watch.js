// The watch-list: assets that this browser remembers. Nothing of it leaves the machine but in an address that is passed on.

const KEY = 'watch-list';

/** The assets, in the order in which they were added. */
export function watched() {
    try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
        return Array.isArray(kept) ? kept.filter(asset => typeof asset === 'string') : [];
    } catch {
        return [];
    }
}

/** Adds an asset or takes it off; true when it is on the list now. */
export function toggle(asset) {
    const before = watched();
    const on = !before.includes(asset);
    try {
        localStorage.setItem(KEY, JSON.stringify(on ? [...before, asset] : before.filter(one => one !== asset)));
    } catch {
        return false;
    }
    return on;
}
