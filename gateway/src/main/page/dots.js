// Makes the dots of a plot reachable: one with Tab, the others with the arrows. A click or Enter chooses a dot.

const STEPS = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1};

/** The dots of a plot, from left to right. */
const dotsOf = drawing => [...drawing.querySelectorAll('[data-id]')];

/** Binds a plot once; `chosen` takes the id of a dot. */
export function bindDots(drawing, chosen) {
    const dot = event => event.target.closest('[data-id]');
    drawing.addEventListener('click', event => dot(event) && chosen(dot(event).dataset.id));
    drawing.addEventListener('keydown', event => {
        const dots = dotsOf(drawing);
        const at = dots.indexOf(dot(event));
        if (at < 0) {
            return;
        }
        if (event.key === 'Enter') {
            event.preventDefault();
            chosen(dots[at].dataset.id);
            return;
        }
        const to = {Home: dots[0], End: dots.at(-1)}[event.key] ?? dots[at + (STEPS[event.key] ?? NaN)];
        if (to) {
            event.preventDefault();
            reach(dots, to);
            to.focus();
        }
    });
}

function reach(dots, one) {
    dots.forEach(dot => dot.setAttribute('tabindex', dot === one ? 0 : -1));
}

/** The id of the dot that has the focus, to give it back after the plot is drawn again; undefined where none has it. */
export function heldDot(drawing) {
    return drawing.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
}

/** After a plot is drawn: one dot is reached with Tab, and the one that had the focus has it again. */
export function reachDots(drawing, held) {
    const dots = dotsOf(drawing);
    const one = dots.find(dot => dot.dataset.id === held);
    reach(dots, one ?? dots[0]);
    one?.focus({preventScroll: true});
}
