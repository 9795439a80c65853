// Moves through a grid with the keys: one cell at a time can be reached with Tab, the arrows lead to the others (ARIA grid pattern).

const MOVES = {
    ArrowUp: at => [at.row - 1, at.column],
    ArrowDown: at => [at.row + 1, at.column],
    ArrowLeft: at => [at.row, at.column - 1],
    ArrowRight: at => [at.row, at.column + 1],
    PageUp: (at, size) => [at.row - size.page, at.column],
    PageDown: (at, size) => [at.row + size.page, at.column],
    Home: (at, size, control) => [control ? 0 : at.row, 0],
    End: (at, size, control) => [control ? size.rows - 1 : at.row, size.columns - 1],
};

/** Where a key leads from a place; null for a key that leads nowhere. Row -1 is the headings. */
export function moved(at, key, size, control) {
    const move = MOVES[key];
    if (!move || size.columns === 0) {
        return null;
    }
    const [row, column] = move(at, size, control);
    return {
        row: Math.max(-1, Math.min(size.rows - 1, row)),
        column: Math.max(0, Math.min(size.columns - 1, column)),
    };
}
