package io.fundingobservatory.ingest.spec;

import io.fundingobservatory.ingest.json.Skip;

/** Takes instrument spellings apart, the ways that several exchanges share. */
public final class Symbols {
    /** The exchange's own spelling of the base coin, and the currency that prices are quoted in. */
    public record BaseQuote(String base, String quote) {}

    private Symbols() {}

    /** Splits at the last separator: {@code BTC_USDT} at {@code _}. Skips the row when there is none. */
    public static BaseQuote splitAtLast(String name, char separator) {
        int at = name.lastIndexOf(separator);
        if (at <= 0 || at == name.length() - 1) {
            throw Skip.unreadable("symbol");
        }
        return new BaseQuote(name.substring(0, at), name.substring(at + 1));
    }

    /** Cuts the first of these quote currencies that the name ends in; longer ones first. Skips the row when it ends in none. */
    public static BaseQuote cutQuote(String name, String... quotes) {
        for (String quote : quotes) {
            if (name.endsWith(quote) && name.length() > quote.length()) {
                return new BaseQuote(name.substring(0, name.length() - quote.length()), quote);
            }
        }
        throw Skip.unreadable("symbol");
    }

    /** The name without an ending that it must have; skips the row as no perpetual when it has another. */
    public static String before(String ending, String name) {
        if (!name.endsWith(ending) || name.length() == ending.length()) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        return name.substring(0, name.length() - ending.length());
    }
}
