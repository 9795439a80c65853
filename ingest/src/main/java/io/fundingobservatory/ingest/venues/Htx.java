package io.fundingobservatory.ingest.venues;

import static io.fundingobservatory.ingest.spec.Request.get;
import static io.fundingobservatory.topics.records.IntervalSource.DOCUMENTED;
import static io.fundingobservatory.topics.records.IntervalSource.INSTRUMENT_LIST;

import io.fundingobservatory.ingest.json.JsonValue;
import io.fundingobservatory.ingest.json.Skip;
import io.fundingobservatory.ingest.spec.History;
import io.fundingobservatory.ingest.spec.History.Paging;
import io.fundingobservatory.ingest.spec.QuoteBuilder;
import io.fundingobservatory.ingest.spec.Rows;
import io.fundingobservatory.ingest.spec.Settlements;
import io.fundingobservatory.ingest.spec.Settlements.Settled;
import io.fundingobservatory.ingest.spec.Symbols;
import io.fundingobservatory.ingest.spec.Symbols.BaseQuote;
import io.fundingobservatory.ingest.spec.Venue;
import io.fundingobservatory.ingest.spec.VenueError;
import io.fundingobservatory.ingest.spec.VenueResponses;
import io.fundingobservatory.ingest.spec.VenueSpec;
import io.fundingobservatory.topics.records.ContractType;
import io.fundingobservatory.topics.records.RateKind;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * HTX swaps, USDT-margined ({@code linear-swap-api}) and coin-margined ({@code swap-api}), each with its own
 * lists.
 *
 * <p>The interval is in the list of contracts, in hours; coin-margined ones lack it and settle every 8 hours by
 * documentation. Suspended contracts stay in the funding list with stale times: only the list of contracts
 * lists what trades. There is no mark price for all at once.
 *
 * <pre>{@code
 * linear_swap_batch_funding_rate: {"funding_rate": "-0.000017417222787085",
 *   "contract_code": "BTC-USDT", "funding_time": "1790006400000"}
 * }</pre>
 */
final class Htx implements Venue {
    private static final String HOST = "https://api.hbdm.com/";

    private static final BigDecimal DOCUMENTED_HOURS = BigDecimal.valueOf(8);

    private static final long FROZEN_AFTER_MS = 300_000;

    /** A book: what its requests' names begin with, its part of the address, its contract list, and how it is margined. */
    private record Product(String prefix, String path, String contracts, ContractType type) {}

    private static final List<Product> PRODUCTS = List.of(
            new Product(
                    "linear_swap", "linear-swap-api/v1/", "swap_contract_info?business_type=swap", ContractType.LINEAR),
            new Product("swap", "swap-api/v1/", "swap_contract_info", ContractType.INVERSE));

    @Override
    public VenueSpec spec() {
        var header = VenueSpec.venue("htx")
                .docs("https://www.htx.com/en-us/opend/newApiPages/", "2026-09-23")
                .rate(RateKind.ESTIMATE)
                .limit("api.hbdm.com", 240, 3);
        for (Product product : PRODUCTS) {
            String url = HOST + product.path();
            String pages = "swap_historical_funding_rate?contract_code={key}&page_index={page}&page_size=100";
            header.request(get(product.prefix() + "_batch_funding_rate", url + "swap_batch_funding_rate")
                            .rates())
                    .request(get(product.prefix() + "_index", url + "swap_index"))
                    .request(get(product.prefix() + "_contract_info", url + product.contracts())
                            .hourly())
                    .history(
                            History.get(product.prefix() + "_historical_funding_rate_{}", url + pages, Paging.PAGE, 100)
                                    .symbolsIn(product.prefix() + "_batch_funding_rate", "contract_code", "data"));
        }
        return header.build();
    }

    private static boolean isIntervalPublished(JsonValue contract) {
        return contract.has("settlement_period");
    }

    @Override
    public void read(VenueResponses responses, Rows rows) {
        for (Product product : PRODUCTS) {
            Map<String, JsonValue> listed =
                    responses.rowsBy("contract_code", product.prefix() + "_contract_info", "data");
            List<JsonValue> contracts = responses.rows(product.prefix() + "_contract_info", "data");
            // coin-margined ones still lack the field
            boolean documented =
                    product.type() == ContractType.INVERSE && contracts.stream().noneMatch(Htx::isIntervalPublished);
            Map<String, JsonValue> indices = responses.rowsBy("contract_code", product.prefix() + "_index", "data");
            Optional<JsonValue> indexResponse = responses.body(product.prefix() + "_index");
            for (JsonValue body : responses.bodies(product.prefix() + "_batch_funding_rate")) {
                rows.each(body.list("data"), "contract_code", row -> {
                    String code = row.text("contract_code");
                    BaseQuote pair = Symbols.splitAtLast(code, '-');
                    if (pair.base().contains("-")) {
                        throw Skip.because(Skip.NOT_PERPETUAL);
                    }
                    JsonValue contract = Skip.ifUnlisted(listed, code);
                    requireLivePerpetual(contract);
                    return QuoteBuilder.of(product.type(), pair.base(), pair.quote())
                            .rate(row.fundingRate("funding_rate"))
                            .intervalHours(
                                    documented ? DOCUMENTED_HOURS : contract.positiveOrNull("settlement_period"),
                                    documented ? DOCUMENTED : INSTRUMENT_LIST)
                            .next(row.millis("funding_time"))
                            .index(unlessFrozen(indices.get(code), indexResponse))
                            .venueTime(body.millis("ts"));
                });
            }
        }
    }

    /** Delisted contracts stay in the list of index prices with a frozen one. */
    private static @Nullable BigDecimal unlessFrozen(@Nullable JsonValue index, Optional<JsonValue> response) {
        if (index == null) {
            return null;
        }
        Long at = index.millis("index_ts");
        Long respondedAt = response.map(body -> body.millis("ts")).orElse(null);
        boolean frozen = at != null && respondedAt != null && respondedAt - at > FROZEN_AFTER_MS;
        return frozen ? null : index.price("index_price");
    }

    private static void requireLivePerpetual(JsonValue contract) {
        if (contract.has("business_type") && !contract.is("business_type", "swap")) {
            throw Skip.because(Skip.NOT_PERPETUAL);
        }
        if (!contract.is("contract_status", "1")) {
            throw Skip.because(Skip.NOT_TRADING);
        }
    }

    @Override
    public @Nullable VenueError error(JsonValue body) {
        if (!body.is("status", "error")) {
            return null;
        }
        // Market data spells the fields with dashes.
        return body.has("err_code")
                ? VenueError.ifCoded(body, "err_code", "err_msg", "1032")
                : VenueError.ifCoded(body, "err-code", "err-msg", "1032");
    }

    @Override
    public void readHistory(JsonValue body, Settlements settlements) {
        settlements.each(
                body.at("data").list("data"),
                row -> row.text("contract_code"),
                row -> Settled.fraction(row.millis("funding_time"), row.fundingRate("funding_rate")));
    }
}
