package io.fundingobservatory.standalone.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How much fits. */
class TerminalTest {
    @Test
    void readsTerminalSizeFromStty() {
        assertEquals(new TerminalSize(132, 50), TerminalSize.parse("50 132\n"));
        assertEquals(new TerminalSize(80, 24), TerminalSize.parse("stty: standard input: not a terminal"));
        assertEquals(new TerminalSize(80, 24), TerminalSize.parse("0 0\n"));
    }
}
