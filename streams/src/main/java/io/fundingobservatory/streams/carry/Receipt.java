package io.fundingobservatory.streams.carry;

import io.fundingobservatory.streams.settlements.KnownSettlement;
import io.fundingobservatory.topics.normalisation.Decimals;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;

/**
 * What anybody can recompute from the {@code settlements} topic: SHA-256 over one line for each settlement of
 * both legs in the window. A line is {@code venue|symbol|listingEpoch|τ in ms|r in plain decimal without trailing
 * zeros|basis\n}. Lines are sorted by venue, symbol, τ.
 */
public final class Receipt {
    private Receipt() {}

    static byte[] lines(Contract contract, Collection<KnownSettlement> settlements) {
        var lines = new StringBuilder(settlements.size() * 64);
        for (KnownSettlement settlement : settlements) {
            lines.append(contract.key())
                    .append('|')
                    .append(contract.listingEpoch())
                    .append('|')
                    .append(settlement.settledMs())
                    .append('|')
                    .append(Decimals.plain(settlement.rate()).toPlainString())
                    .append('|')
                    .append(settlement.basis().name().toLowerCase(Locale.ROOT))
                    .append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** SHA-256 of what is given, in hex: of the lines of two legs, the one that sorts first before the other. */
    public static String of(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
