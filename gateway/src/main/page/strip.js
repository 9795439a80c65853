// Labelled dots on one axis. Labels that would overlap stand in lanes below one another.

import {shape} from './dom.js';
import {heldDot, reachDots} from './dots.js';
import {decimalsOf, ticks} from './scale.js';

const LANE = 16;
const AXIS = 26;
const EDGE = 10;
const GAP = 8;
const FONT = '11px ';

/** A lane for each label, from the top, so that none overlaps another; labels come from left to right. */
export function lanes(labels) {
    const ends = [];
    return labels.map(({x, width}) => {
        let lane = ends.findIndex(end => end <= x);
        if (lane < 0) {
            lane = ends.length;
        }
        ends[lane] = x + width + GAP;
        return lane;
    });
}

/** A range that holds all values, and zero when it is near. */
export function range(values) {
    let low = Math.min(...values);
    let high = Math.max(...values);
    if (low > 0 && low < (high - low) * 0.5 + high * 0.5) {
        low = 0;
    }
    if (high < 0) {
        high = 0;
    }
    const margin = (high - low || Math.abs(high) || 1e-6) * 0.04;
    return [low - (low === 0 ? 0 : margin), high + margin];
}

/**
 * Draws dots of {value, label, className, id, title}. Values are only for the place on the axis, and the title follows the label where a
 * dot is pointed at or read aloud. `words` describe the drawing; `factor` leads from a value to its unit.
 */
export function strip(drawing, dots, {words, factor}) {
    const width = Math.max(280, drawing.parentElement.clientWidth);
    const held = heldDot(drawing);
    drawing.replaceChildren();
    drawing.setAttribute('aria-label', words);
    if (dots.length === 0) {
        drawing.setAttribute('height', 0);
        return;
    }
    const [low, high] = range(dots.map(dot => dot.value));
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = FONT + getComputedStyle(drawing).fontFamily;
    const right = width - EDGE;
    const at = value => EDGE + (value - low) / (high - low) * (right - EDGE);
    const placed = [...dots].sort((a, b) => a.value - b.value).map(dot => {
        const size = 14 + pen.measureText(dot.label).width * (dot.className.includes('outer') ? 1.1 : 1);
        const x = at(dot.value);
        // At the right edge the label stands before its dot.
        return x + size > right ? {...dot, dotX: x, x: x - size + 6, width: size, before: true} : {...dot, dotX: x, x: x - 5, width: size};
    }).sort((a, b) => a.x - b.x);
    const lane = lanes(placed);
    const height = AXIS + (Math.max(...lane) + 1) * LANE + 6;
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.setAttribute('width', width);
    drawing.setAttribute('height', height);
    const marks = ticks(low * factor, high * factor, width / 110);
    const decimals = decimalsOf(marks);
    for (const mark of marks) {
        const x = at(mark / factor);
        const zero = Math.abs(mark) < 1e-12;
        drawing.append(
            shape('line', {x1: x, x2: x, y1: AXIS - 6, y2: height, class: zero ? 'zero' : 'tick'}),
            shape('text', {x: Math.max(x, 20), y: 12, class: 'mark'}, `${mark > 0 && !zero ? '+' : ''}${mark.toFixed(decimals).replace('-', '−')}`));
    }
    placed.map((dot, i) => ({...dot, y: AXIS + lane[i] * LANE + LANE / 2})).sort((a, b) => a.dotX - b.dotX).forEach(dot => {
        drawing.append(shape('g', {class: `dot ${dot.className}`, 'data-id': dot.id, role: 'link', 'aria-label': `${dot.label} ${dot.title}`}, [
            shape('title', {}, `${dot.label} ${dot.title}`),
            shape('circle', {cx: dot.dotX, cy: dot.y, r: 4.5}),
            shape('text', {x: dot.before ? dot.dotX - 8 : dot.dotX + 8, y: dot.y + 4, class: dot.before ? 'before' : ''}, dot.label),
        ]));
    });
    reachDots(drawing, held);
}
