package io.fundingobservatory.topics.normalisation;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns a venue's base into the asset to join on and the number of coins in one priced unit.
 *
 * <p>The rules come from the naming notes of the venues. A spelling that no rule covers is a name of its own
 * ({@code 1INCH}, {@code 4}, {@code C98}). A missing pair is better than two coins joined under one name.
 */
public final class AssetNames {
    /** 1000PEPE, 10000LADYS, 1000000MOG, phemex's "1000 PEPE": a power of ten from 1000 on, straight before a name. */
    private static final Pattern NUMBER_PREFIX = Pattern.compile("(10{3,9}) ?([\\p{L}].*)");

    /** kPEPE, kBONK: the lower-case k of a thousand; KAITO and KAS are names. */
    private static final Pattern SMALL_K_PREFIX = Pattern.compile("k([A-Z][A-Z0-9]+)");

    /** 1MBABYDOGE and btse's 1KPEPE, of the coins that are known to be quoted so: 1INCH begins the same way. */
    private static final Pattern LETTER_PREFIX =
            Pattern.compile("1([KM])(BABYDOGE|BOB|BONK|CAT|CHEEMS|FLOKI|MOG|PEPE|SATS|SHIB)");

    /** Bybit's SHIB1000. Elsewhere digits at the end belong to the name: XYZ100, US2000, JP225. */
    private static final Pattern BYBIT_SUFFIX = Pattern.compile("(\\p{L}{2,})(1000)");

    /** GRVT writes the k as a capital; only these, since KAITO, KAS, KAVA and KNC are coins. */
    private static final Set<String> GRVT_CAPITAL_K =
            Set.of("KBONK", "KDOGS", "KFLOKI", "KLUNC", "KNEIRO", "KPEPE", "KSHIB");

    /** ISO-style codes of two coins that everybody else calls otherwise. */
    private static final Map<String, String> CODES = Map.of("XBT", "BTC", "XDG", "DOGE");

    /**
     * An asset under its normalised name.
     *
     * @param asset the name to join on: upper case, or as published where it is not written in ASCII
     * @param priceScale coins that one priced unit stands for: 1000 for 1000PEPE
     */
    public record Name(String asset, BigDecimal priceScale) {}

    private AssetNames() {}

    /**
     * Returns the normalised name of a base coin.
     *
     * @param venue the venue's identifier
     * @param base the venue's own spelling, multiplier included; upper or lower case
     */
    public static Name of(String venue, String base) {
        String spelling = withoutVenueMarks(venue, base.strip());
        AssetAlias alias = AssetAlias.find(venue, spelling);
        if (alias != null) {
            return new Name(alias.asset(), BigDecimal.valueOf(alias.priceScale()));
        }
        Matcher smallK = SMALL_K_PREFIX.matcher(spelling);
        if (smallK.matches()) {
            return scaled(smallK.group(1), 1_000);
        }
        String upper = upper(spelling);
        Name scaled = withScale(venue, upper);
        return scaled != null ? scaled : scaled(upper, 1);
    }

    private static @Nullable Name withScale(String venue, String upper) {
        Matcher number = NUMBER_PREFIX.matcher(upper);
        if (number.matches()) {
            return scaled(number.group(2), Long.parseLong(number.group(1)));
        }
        Matcher letter = LETTER_PREFIX.matcher(upper);
        if (letter.matches()) {
            return scaled(letter.group(2), letter.group(1).equals("M") ? 1_000_000 : 1_000);
        }
        if (venue.equals("grvt") && GRVT_CAPITAL_K.contains(upper)) {
            return scaled(upper.substring(1), 1_000);
        }
        Matcher suffix = BYBIT_SUFFIX.matcher(upper);
        if (venue.equals("bybit") && suffix.matches()) {
            return scaled(suffix.group(1), 1_000);
        }
        return null;
    }

    private static Name scaled(String asset, long scale) {
        return new Name(CODES.getOrDefault(asset, asset), BigDecimal.valueOf(scale));
    }

    /**
     * Removes what a venue adds to a coin's name for its own use. These are the dex of a contract, its
     * trading hours and the pool that prices it.
     */
    private static String withoutVenueMarks(String venue, String base) {
        return switch (venue) {
            case "hyperliquid" -> base.substring(base.lastIndexOf(':') + 1);
            case "extended" -> base.endsWith("_24_5") ? base.substring(0, base.length() - 5) : base;
            case "dydx" -> base.indexOf(',') > 0 ? base.substring(0, base.indexOf(',')) : base;
            default -> base;
        };
    }

    private static String upper(String name) {
        return name.chars().allMatch(c -> c < 0x80) ? name.toUpperCase(Locale.ROOT) : name;
    }
}
