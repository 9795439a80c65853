package io.fundingobservatory.gateway.core.site;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.gateway.core.request.Query;
import io.fundingobservatory.gateway.core.request.RowForm;
import io.fundingobservatory.gateway.core.request.Scope;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Reading ends in a value for any input of a client. Nothing of the input is repeated unless it is a plain
 * name.
 */
class MutatedInputTest {
    private static final int INPUTS = 20_000;
    private static final Pattern PLAIN = Pattern.compile("[ -~&&[^<>\"\\\\]]*");

    /** Right inputs, with pieces doubled, swapped, cut and replaced; the seed makes every run the same. */
    private static void mutated(List<String> seeds, Consumer<String> each) {
        var random = new Random(4711);
        for (int i = 0; i < INPUTS; i++) {
            var text = new StringBuilder(seeds.get(random.nextInt(seeds.size())));
            for (int changes = random.nextInt(6); changes >= 0; changes--) {
                int at = random.nextInt(text.length() + 1);
                switch (random.nextInt(5)) {
                    case 0 -> text.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 0x10000));
                    case 1 -> text.insert(at, seeds.get(random.nextInt(seeds.size())));
                    case 2 -> text.setLength(at);
                    case 3 -> text.delete(at, Math.min(text.length(), at + random.nextInt(4)));
                    default -> text.insert(at, ",;=&%\"[]:*.-0q".charAt(random.nextInt(14)));
                }
            }
            each.accept(text.toString());
        }
    }

    @Test
    void queries() {
        List<String> known = List.of("venues", "assets", "symbols");
        var takes = new Query.Takes(known, new RowForm.Fields(List.of(), List.of()), null, 1_000);
        mutated(
                List.of("venues=okx,binance&assets=BTC", "symbols=BTC-USDT-SWAP", "assets=%41%2C%ff", "limit=5"),
                query -> {
                    Query read = Query.read(query, takes);
                    if (read.problem() != null) {
                        assertTrue(PLAIN.matcher(read.problem()).matches(), query + " -> " + read.problem());
                        return;
                    }
                    assertTrue(known.containsAll(read.names().keySet()), query);
                    assertFalse(read.names().values().stream().anyMatch(Set::isEmpty), query);
                    Scope scope = Scope.of(read, asset -> false, symbol -> false);
                    scope.unreadable()
                            .values()
                            .forEach(list -> list.forEach(
                                    name -> assertTrue(PLAIN.matcher(name).matches(), query)));
                });
    }

    @Test
    void codingsAndConditions() {
        mutated(List.of("gzip, br;q=0.5, zstd;q=1.000", "*;q=0", "identity;q=0, x-gzip", "deflate"), field -> {
            boolean gzip = SiteRequest.prefersGzip(List.of(field));
            assertTrue(
                    !gzip
                            || field.contains("*")
                            || field.toLowerCase(Locale.ROOT).contains("gzip"),
                    field);
        });
        mutated(
                List.of("\"0123456789abcdef\"", "W/\"a-gzip\", \"b\"", "*"),
                field -> assertTrue(
                        Routed.request("GET", "/api/v1", List.of(field, "\"tag\""), List.of(), 0)
                                .has("\"tag\"", null),
                        field));
    }

    @Test
    void forwardingHeaders() {
        Address peer = Address.parse("10.0.0.1").orElseThrow();
        for (String header : List.of(ClientAddresses.X_FORWARDED_FOR, ClientAddresses.FORWARDED)) {
            var clients = new ClientAddresses(Address.ranges("10.0.0.0/8"), header);
            mutated(
                    List.of(
                            "203.0.113.7, 10.0.0.2",
                            "for=\"[2001:db8::1]:80\";proto=http, for=10.0.0.9",
                            "for=_hidden"),
                    field -> {
                        Address client = clients.client(peer, List.of(field, "192.0.2.9"));
                        boolean last = client.equals(Address.parse("192.0.2.9").orElseThrow());
                        assertTrue(header.equals(ClientAddresses.X_FORWARDED_FOR) ? last : client.equals(peer), field);
                    });
        }
    }
}
