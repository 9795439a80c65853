// Elements from text. Nothing here takes markup: the page's policy has no place for it.

import {local} from './figures.js';

function made(node, content, attributes) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== undefined && value !== null && value !== false) {
            node.setAttribute(key, value === true ? '' : value);
        }
    }
    node.append(...[content].flat().filter(part => part !== null && part !== undefined && part !== false && part !== ''));
    return node;
}

/** An element with its text or children, and attributes; an attribute without a value is left out. */
export function element(name, content, attributes = {}) {
    return made(document.createElement(name), content, attributes);
}

/** The same of a drawing; the page has one to tell the namespace. */
export function shape(name, attributes = {}, content = null) {
    return made(document.createElementNS($('asset-strip').namespaceURI, name), content, attributes);
}

export const $ = id => document.getElementById(id);

/** Sets a text where it differs, so that what has not changed is neither drawn nor read out again. */
export function put(node, text) {
    const held = node.firstChild;
    if (held?.nodeType === Node.TEXT_NODE && held === node.lastChild) {
        if (held.data !== text) {
            held.data = text;
        }
    } else if (node.textContent !== text) {
        node.textContent = text;
    }
}

export function button(content, action, attributes = {}) {
    const node = element('button', content, {type: 'button', ...attributes});
    node.addEventListener('click', action);
    return node;
}

/** A button that copies a text and says so. */
export function copyButton(text, what) {
    const node = button('Copy', async () => {
        try {
            await navigator.clipboard.writeText(text());
            node.textContent = 'Copied';
        } catch {
            node.textContent = 'Select it and copy';
        }
        setTimeout(() => (node.textContent = 'Copy'), 2000);
    }, {class: 'copy', 'aria-label': `Copy ${what}`});
    return node;
}

/** A time in UTC with the same instant on this machine's clock, and for programs. */
export function time(epochMs, shown) {
    const here = local(epochMs);
    return element('time', [shown, here && element('small', ` ${here}`, {class: 'local'})], {datetime: new Date(Number(epochMs)).toISOString()});
}

/** A dash for what is not known, with the reason for those who cannot point at it. */
export function unknown(why) {
    return element('span', ['–', element('span', ` not known: ${why}`, {class: 'aside'})], {class: 'unknown', title: why});
}
