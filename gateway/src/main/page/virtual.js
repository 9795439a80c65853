// A table body of any length of which only the rows in view stand in the page. All rows have one height.

/** Rows beyond those in view, at each side: what a fast hand scrolls within a frame. */
const BEYOND = 2;

/** Rows in view, filled when they come into it and when their rates change; a row that leaves is filled again for another place. */
export class VirtualRows {
    #rows = new Map();
    #spare = [];
    #count = 0;
    #frame = 0;

    /**
     * @param {HTMLElement} scroller what scrolls
     * @param {HTMLTableElement} table with three bodies: the space above, the rows, the space below
     * @param {(row: HTMLTableRowElement, i: number) => void} fill puts the rates of a place into a row that may have been another's
     * @param {() => boolean} across tells whether other columns are in view than when it was asked before
     */
    constructor(scroller, table, fill, across = () => false) {
        this.scroller = scroller;
        [this.above, this.body, this.below] = table.tBodies;
        this.table = table;
        this.fill = fill;
        this.across = across;
        this.height = 40;
        scroller.addEventListener('scroll', () => this.#soon(), {passive: true});
        new ResizeObserver(() => this.#soon()).observe(scroller);
    }

    #soon() {
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#place(this.across());
        });
    }

    /** There are so many rows now, each as high as this; all in view are filled. */
    show(count, height) {
        this.#count = count;
        this.height = height;
        this.across();
        this.#place(true);
    }

    /** Fills the rows in view again, where they stand. */
    refill() {
        this.#place(true);
    }

    /** Rows have other cells from now on. */
    forget() {
        this.#rows.clear();
        this.#spare = [];
        this.body.replaceChildren();
    }

    /** The row of a place, when it is in view. */
    row(i) {
        return this.#rows.get(i);
    }

    /** How many whole rows are in view. */
    get page() {
        return Math.max(1, Math.floor((this.scroller.clientHeight - this.#head) / this.height) - 1);
    }

    get #head() {
        return this.table.tHead.offsetHeight;
    }

    /** Scrolls so that a place is in view, below the headings. */
    reveal(i) {
        const top = i * this.height;
        const room = this.scroller.clientHeight - this.#head - this.height;
        if (top < this.scroller.scrollTop) {
            this.scroller.scrollTop = top;
        } else if (top > this.scroller.scrollTop + room) {
            this.scroller.scrollTop = top - room;
        }
        this.#place(false);
    }

    /**
     * Where at least half of the rows leave, all stay where they are and are given the places of this range: a row that is taken out and
     * put in again has the style of its cells computed again (28 rows of 50 cells: 15 to 20 ms, in place of 3). Not while a cell has the
     * focus: it would move to another asset.
     *
     * @returns {boolean} whether places were given anew
     */
    #reassign(first, last) {
        const rows = [...this.body.rows];
        const staying = [...this.#rows.keys()].filter(i => i >= first && i < last).length;
        if (rows.length === 0 || staying > (last - first) / 2 || this.body.contains(document.activeElement)) {
            return false;
        }
        this.#rows = new Map(rows.map((row, k) => [first + k, row]));
        return true;
    }

    #place(everything) {
        const top = this.scroller.scrollTop;
        const first = Math.max(0, Math.min(this.#count, Math.floor(top / this.height) - BEYOND));
        const last = Math.min(this.#count, Math.ceil((top + this.scroller.clientHeight) / this.height) + BEYOND);
        const refilled = this.#reassign(first, last) || everything;
        for (const [i, row] of this.#rows) {
            if (i < first || i >= last) {
                this.#rows.delete(i);
                // Before others are placed: a row that is moved would lose the focus.
                row.remove();
                this.#spare.push(row);
            }
        }
        let before = null;
        for (let i = first; i < last; i++) {
            let row = this.#rows.get(i);
            const fresh = !row;
            if (fresh) {
                row = this.#spare.pop() ?? document.createElement('tr');
                this.#rows.set(i, row);
            }
            if (fresh || refilled) {
                row.setAttribute('aria-rowindex', i + 2);
                this.fill(row, i);
            }
            const place = before ? before.nextSibling : this.body.firstChild;
            if (row !== place) {
                this.body.insertBefore(row, place);
            }
            before = row;
        }
        space(this.above, first * this.height);
        space(this.below, (this.#count - last) * this.height);
    }
}

function space(body, height) {
    body.hidden = height <= 0;
    body.rows[0].cells[0].style.height = `${Math.max(0, height)}px`;
}
