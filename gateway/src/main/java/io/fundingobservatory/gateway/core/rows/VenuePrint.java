package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.gateway.core.coding.Content;
import io.fundingobservatory.topics.records.ContractKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of one venue in one snapshot, as 128 bits of SHA-256 each. It keeps no row.
 */
public final class VenuePrint {
    private static final int LONGS = 2;

    private final String venue;
    private final String[] symbols;
    private final long[] prints;
    private final byte[] digest;

    private VenuePrint(String venue, String[] symbols, long[] prints, byte[] digest) {
        this.venue = venue;
        this.symbols = symbols;
        this.prints = prints;
        this.digest = digest;
    }

    /** The print of rows of one venue, which are sorted by symbol. */
    static VenuePrint of(String venue, List<EncodedRow> rows) {
        var symbols = new String[rows.size()];
        var prints = new long[LONGS * rows.size()];
        for (int i = 0; i < symbols.length; i++) {
            EncodedRow row = rows.get(i);
            symbols[i] = row.rate().symbol();
            ByteBuffer digest = ByteBuffer.wrap(Content.sha256(row.json()));
            prints[LONGS * i] = digest.getLong();
            prints[LONGS * i + 1] = digest.getLong();
        }
        ByteBuffer all = ByteBuffer.allocate(Long.BYTES * prints.length);
        all.asLongBuffer().put(prints);
        return new VenuePrint(venue, symbols, prints, Content.sha256(all.array()));
    }

    /** The venue's identifier. */
    String venue() {
        return venue;
    }

    /** A digest of the rows as {@link Content#tag} takes it: equal exactly when they are. */
    public byte[] digest() {
        return digest;
    }

    /**
     * Compares these rows with those of a later snapshot.
     *
     * @param changed receives rows that are new or changed
     * @param gone receives keys of rows that went
     */
    void compare(VenuePrint now, List<EncodedRow> rows, List<EncodedRow> changed, List<ContractKey> gone) {
        for (int i = 0; i < now.symbols.length; i++) {
            int then = Arrays.binarySearch(symbols, now.symbols[i]);
            if (then < 0 || !samePrint(then, now, i)) {
                changed.add(rows.get(i));
            }
        }
        for (String symbol : symbols) {
            if (Arrays.binarySearch(now.symbols, symbol) < 0) {
                gone.add(new ContractKey(venue, symbol));
            }
        }
    }

    private boolean samePrint(int row, VenuePrint other, int otherRow) {
        return prints[LONGS * row] == other.prints[LONGS * otherRow]
                && prints[LONGS * row + 1] == other.prints[LONGS * otherRow + 1];
    }
}
