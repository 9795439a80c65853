package io.fundingobservatory.faults.planted;

import io.fundingobservatory.oracle.RatesOracle.Broken;
import java.util.List;

/** Mistakes of the topology, and what each of them must turn red. */
enum PlantedBugs {
    EIGHT_HOURS_ARE_ONE(Broken.EXACT_VALUE, constant("topics.normalisation.RateConversion", "<clinit>", 8L, 1L)),
    PERCENT_AS_FRACTION(Broken.EXACT_VALUE, constant("topics.normalisation.RateConversion", "<clinit>", 100L, 1L)),
    YEAR_OF_360_DAYS(Broken.EXACT_VALUE, constant("streams.normalisation.Normaliser", "<clinit>", 1095L, 1080L)),
    DOUBLES(Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "quotient", "quotientOfDoubles")),
    EIGHT_DECIMALS(Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "quotient", "quotientOf8Decimals")),
    CUT_IN_PLACE_OF_ROUNDED(
            Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "quotient", "quotientCutOff")),
    SIXTEEN_DIGITS(Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "quotient", "quotientOf16Digits")),
    NUMBERS_SHORTENED(Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "plain", "shortened")),
    UNKNOWN_IS_ZERO(Broken.EXACT_VALUE, replaced("topics.normalisation.Decimals", "plainOrNull", "unknownIsZero")),
    LATE_READING_REPLACES(
            Broken.EXACTLY_ONCE, replaced("streams.rates.QuoteProcessor", "replaces", "everyReadingReplaces")),
    DUPLICATE_REPLACES(Broken.EXACTLY_ONCE, replaced("streams.rates.QuoteProcessor", "replaces", "sameTimeReplaces")),
    FIRST_READING_STAYS(Broken.NOTHING_LOST, replaced("streams.rates.QuoteProcessor", "replaces", "firstReadingStays")),
    AFTER_A_PAUSE_NOTHING(
            Broken.NOTHING_LOST, replaced("streams.rates.QuoteProcessor", "replaces", "nothingAfterAPause")),
    SPELLING_IS_THE_ASSET(Broken.EXACT_VALUE, replaced("topics.normalisation.AssetNames", "of", "spellingIsTheAsset")),
    PRICE_SCALE_FORGOTTEN(Broken.EXACT_VALUE, replaced("topics.normalisation.AssetNames", "of", "scaleIsForgotten")),
    ONE_PARTITION_SKIPPED(
            Broken.NOTHING_LOST, replaced("streams.rates.QuoteProcessor", "process", "onePartitionIsSkipped")),
    EACH_HUNDREDTH_SKIPPED(
            Broken.NOTHING_LOST, replaced("streams.rates.QuoteProcessor", "process", "eachHundredthIsSkipped")),
    PROCESSED_TWICE(
            Broken.EXACTLY_ONCE,
            replaced("streams.rates.QuoteProcessor", "process", "eachIsProcessedTwice"),
            replaced("streams.rates.QuoteProcessor", "replaces", "sameTimeReplaces")),
    TWO_CHANGE_PLACES(
            Broken.NOTHING_LOST, replaced("streams.rates.QuoteProcessor", "process", "twoOfAContractChangePlaces")),
    REFUSED_IS_FORGOTTEN(
            Broken.NOTHING_LOST, replaced("streams.processing.RecordProcessor", "reject", "refusedIsForgotten")),
    ROWS_REMOVED_AFTER_SECONDS(Broken.NOTHING_LOST, constant("streams.rates.RowAgeing", "age", 600_000L, 6_000L)),
    SIGN_TURNED(Broken.EXACT_VALUE, replaced("topics.records.Quote", "rate", "negative")),
    INDEX_IN_PLACE_OF_MARK(Broken.EXACT_VALUE, replaced("topics.records.Quote", "markPrice", "indexInPlaceOfMark")),
    FIRST_PRICE_FOR_EVER(Broken.EXACT_VALUE, replaced("topics.records.Quote", "markPrice", "firstMarkForEver")),
    NEXT_FUNDING_LOST(Broken.EXACT_VALUE, replaced("topics.records.Quote", "nextFundingMs", "notAnnounced")),
    READ_A_SECOND_EARLIER(Broken.EXACTLY_ONCE, replaced("topics.records.Quote", "observedAtMs", "readASecondEarlier")),
    EIGHT_HOURS_BY_DEFAULT(
            Broken.EXACT_VALUE,
            replaced("topics.records.Quote", "intervalH", "eightHoursByDefault"),
            replaced("topics.records.Quote", "intervalSource", "documentedByDefault")),
    COVERED_IS_THE_INTERVAL(Broken.EXACT_VALUE, replaced("topics.records.Quote", "rateHours", "coveredIsTheInterval"));

    final Broken breaks;
    final List<Patch> patches;

    PlantedBugs(Broken breaks, Patch... patches) {
        this.breaks = breaks;
        this.patches = List.of(patches);
    }

    private static Patch constant(String owner, String method, Object from, Object to) {
        return new Patch.Constant("io.fundingobservatory." + owner, method, from, to);
    }

    private static Patch replaced(String owner, String method, String by) {
        return new Patch.Replaced("io.fundingobservatory." + owner, method, by);
    }
}
