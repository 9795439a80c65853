// A table body of any length of which only the rows in view are in the page. All rows have one height.

/** Rows beyond those in view, at each side: what a fast hand scrolls within a frame. */
const BEYOND = 2;

/** Rows in view. They stay where they are, and are filled again for the places that come into view. */
export class VirtualRows {
    #count = 0;
    #first = 0;
    #frame = 0;
    #height = 40;

    /**
     * @param {HTMLElement} scroller what scrolls
     * @param {HTMLTableElement} table with three bodies: the space above, the rows, the space below
     * @param {(row: HTMLTableRowElement, i: number) => void} fill puts the rates of a place into a row that may have been another's
     * @param {(held: boolean) => void} filled follows a fill of all rows; `held` is whether the focus was in one of them
     */
    constructor(scroller, table, fill, filled) {
        this.scroller = scroller;
        [this.above, this.body, this.below] = table.tBodies;
        this.head = table.tHead;
        this.fill = fill;
        this.filled = filled;
        scroller.addEventListener('scroll', () => this.#soon(), {passive: true});
        new ResizeObserver(() => this.#soon()).observe(scroller);
    }

    #soon() {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            const [first, last] = this.#range;
            if (first !== this.#first || last - first !== this.body.rows.length) {
                this.refill();
            }
        });
    }

    /** There are so many rows now, each as high as this. */
    show(count, height) {
        this.#count = count;
        this.#height = height;
        this.refill();
    }

    /** The row of a place, when it is in view. */
    row(i) {
        return this.body.rows[i - this.#first];
    }

    /** How many whole rows are in view. */
    get page() {
        return Math.max(1, Math.floor((this.scroller.clientHeight - this.head.offsetHeight) / this.#height) - 1);
    }

    /** Scrolls so that a place is in view, below the headings. */
    reveal(i) {
        const top = i * this.#height;
        const room = this.scroller.clientHeight - this.head.offsetHeight - this.#height;
        if (top < this.scroller.scrollTop) {
            this.scroller.scrollTop = top;
        } else if (top > this.scroller.scrollTop + room) {
            this.scroller.scrollTop = top - room;
        }
        if (!this.row(i)) {
            this.refill();
        }
    }

    get #range() {
        const top = this.scroller.scrollTop;
        return [Math.max(0, Math.min(this.#count, Math.floor(top / this.#height) - BEYOND)),
            Math.min(this.#count, Math.ceil((top + this.scroller.clientHeight) / this.#height) + BEYOND)];
    }

    /** Fills the rows in view again. */
    refill() {
        const [first, last] = this.#range;
        const held = this.body.contains(document.activeElement);
        this.#first = first;
        for (let k = this.body.rows.length; k > last - first; k--) {
            this.body.deleteRow(-1);
        }
        for (let i = first; i < last; i++) {
            const row = this.row(i) ?? this.body.insertRow();
            row.setAttribute('aria-rowindex', i + 2);
            this.fill(row, i);
        }
        space(this.above, first * this.#height);
        space(this.below, (this.#count - last) * this.#height);
        this.filled(held);
    }
}

function space(body, height) {
    body.hidden = height <= 0;
    body.rows[0].cells[0].style.height = `${Math.max(0, height)}px`;
}
