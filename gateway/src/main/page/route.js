// The address behind # says which view is open and how: it can be passed on and survives a reload.

const VIEWS = new Set(['matrix', 'asset', 'pairs', 'exchanges', 'read']);

/** What an address such as `#/asset/BTC` or `#/pairs?asset=ETH` shows; null where it leads to no view. */
export function parseRoute(hash) {
    if (hash === '' || hash === '#') {
        return {view: 'matrix', asset: '', options: new URLSearchParams()};
    }
    const match = /^#\/([a-z]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash);
    const view = match && (match[1] || 'matrix');
    if (!match || !VIEWS.has(view)) {
        return null;
    }
    return {view, asset: view === 'asset' ? name(match[2] ?? '') : '', options: new URLSearchParams(match[3] ?? '')};
}

/** A name from an address; as it stands where it is no percent form. */
function name(text) {
    try {
        return decodeURIComponent(text).slice(0, 40);
    } catch {
        return text.slice(0, 40);
    }
}

/** The address of a view; options that are empty, false or null are left out. */
export function routeTo(view, options = {}, asset = '') {
    const kept = new URLSearchParams();
    for (const [key, value] of Object.entries(options)) {
        if (value !== '' && value !== null && value !== undefined && value !== false) {
            kept.set(key, value === true ? '1' : String(value));
        }
    }
    const path = view === 'matrix' ? '' : view === 'asset' ? `asset/${encodeURIComponent(asset)}` : view;
    // A comma and a colon may stand in an address, and are easier to read so.
    const query = kept.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
    return `#/${path}${query ? `?${query}` : ''}`;
}

/**
 * The endpoint of the rates of a scope: nothing for the service's own, `all`, or names. Names of fields are written once, and decimals
 * as text: JSON.parse loses no digit.
 */
export function latestAddress(scope, assets = []) {
    const query = ['layout=columns', 'numbers=text'];
    if (assets.length > 0) {
        query.push(`assets=${assets.map(encodeURIComponent).join(',')}`);
    }
    if (scope) {
        query.push(`venues=${scope.split(',').map(encodeURIComponent).join(',')}`);
    }
    return `/api/v1/latest?${query.join('&')}`;
}
