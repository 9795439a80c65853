package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderBytesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final HeaderBytes header = new HeaderBytes();

    /** How many bytes were read before it stopped; all of them if it did not. */
    private int read(String text) {
        ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        int at = bytes.forEachByte(header);
        return at < 0 ? text.length() : at + 1;
    }

    @Test
    void stopsBehindEachWholeHeader() {
        assertEquals(GET.length(), read(GET + GET));
        assertFalse(header.wrong());
        assertFalse(header.pending());
        assertEquals(GET.length(), read(GET), "and begins anew");
    }

    @Test
    void aHeaderMayComeByteByByte() {
        for (int i = 0; i < GET.length(); i++) {
            read(GET.substring(i, i + 1));
            assertFalse(header.wrong(), "byte " + i);
            assertEquals(i < GET.length() - 1, header.pending(), "byte " + i);
        }
    }

    @Test
    void emptyLinesBeforeRequestUseHeaderTime() {
        assertEquals(4, read("\r\n\r\n"));
        assertTrue(header.pending());
        assertEquals(GET.length(), read(GET));
        assertFalse(header.pending());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\n",
                "GET / HTTP/1.1\r\r\n",
                "GET /\rHTTP/1.1\r\n",
                "GET /\0 HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\nHost: a\n",
                "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\tfolded\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\n",
                "\n",
                " GET / HTTP/1.1\r\n"
            })
    void rejectsAmbiguousHeaders(String text) {
        int read = read(text + GET);
        assertTrue(header.wrong());
        assertTrue(read <= text.length(), "nothing behind it was read");
    }

    @Test
    void bytesAboveAsciiAreLeftToTheDecoder() {
        read("GET / HTTP/1.1\r\nX: \u00e4\u00ff\r\n\r\n");
        assertFalse(header.wrong());
    }
}
