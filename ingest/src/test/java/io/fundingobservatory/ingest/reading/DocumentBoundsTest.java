package io.fundingobservatory.ingest.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What an answer may take in memory, whatever it is made of. */
class DocumentBoundsTest {
    private static Node parse(String body) throws IOException {
        return Node.parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String problem(String body) {
        return Node.problem(assertThrows(IOException.class, () -> parse(body)));
    }

    private static String list(String element, int bytes) {
        return '[' + (element + ',').repeat(bytes / (element.length() + 1)) + element + ']';
    }

    @Test
    void aListThatIsFiveTimesTheLongestKnownIsRead() throws IOException {
        String row = "{\"symbol\":\"BTCUSDT\",\"rate\":\"0.00010000\",\"mark\":\"92517.10\",\"time\":1790000000000}";
        assertEquals(
                5 * 1024 * 1024 / (row.length() + 1) + 1,
                parse(list(row, 5 * 1024 * 1024)).elements().size());
    }

    @Test
    void manySmallValuesAreRefused() {
        for (String element : new String[] {"0", "[]", "{}", "null", "true", "[[],[]]"}) {
            assertEquals("more than 1000000 values", problem(list(element, 24 * 1024 * 1024)), element);
        }
    }

    @Test
    void muchTextIsRefused() {
        assertEquals("more than 12 MB of values", problem(list("\"" + "x".repeat(4_000) + "\"", 24 * 1024 * 1024)));
        assertEquals("more than 12 MB of values", problem(list("\"" + "\u20ac".repeat(1_300) + "\"", 8 * 1024 * 1024)));
    }

    @Test
    void manyNamesAreRefused() {
        var body = new StringBuilder("{");
        for (int i = 0; i < 400_000; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("\"name-of-a-member-")
                    .append(i)
                    .append("\":0");
        }
        String problem = problem(body.append('}').toString());
        assertTrue(problem.contains("more than 12 MB") || problem.contains("symbol"), problem);
    }

    @Test
    void aLongTextIsCutAndAVeryLongOneRefused() throws IOException {
        Node notice = parse("{\"notice\":\"" + "x".repeat(100_000) + "\",\"rate\":\"0.0001\"}");
        assertEquals(4_096, notice.text("notice").length());
        assertEquals("0.0001", notice.text("rate"));
        assertTrue(problem("[\"" + "x".repeat(300_000) + "\"]").contains("String value length"));
    }
}
