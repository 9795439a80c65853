package io.fundingobservatory.gateway.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {
    private static final List<Address> TRUSTED = Address.ranges("10.0.0.0/8, 2001:db8:ffff::/48");

    private static Address address(String text) {
        return Address.parse(text).orElseThrow();
    }

    private static Address client(String header, String peer, String... values) {
        return new ClientAddresses(TRUSTED, header).client(address(peer), List.of(values));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // peer      | X-Forwarded-For                | client
                "192.0.2.1   | 203.0.113.7                    | 192.0.2.1",
                "10.1.1.1    | 203.0.113.7                    | 203.0.113.7",
                "10.1.1.1    | 6.6.6.6, 203.0.113.7           | 203.0.113.7",
                "10.1.1.1    | 6.6.6.6, 203.0.113.7, 10.2.2.2 | 203.0.113.7",
                "10.1.1.1    | 203.0.113.7:4711               | 203.0.113.7",
                "10.1.1.1    | 6.6.6.6, garbage               | 10.1.1.1",
                "10.1.1.1    | 6.6.6.6, garbage, 10.2.2.2     | 10.2.2.2",
                "10.1.1.1    | 10.3.3.3                       | 10.3.3.3",
                "10.1.1.1    | for=9.9.9.9                    | 10.1.1.1",
                "10.1.1.1    | 2001:db8::1                    | 2001:db8::1",
                "10.1.1.1    | ::ffff:203.0.113.7             | 203.0.113.7",
                "2001:db8:ffff::5 | 203.0.113.7               | 203.0.113.7",
            })
    void aForwardingHeaderCountsOnlyFromTrustedProxies(String peer, String value, String client) {
        assertEquals(address(client), client(ClientAddresses.X_FORWARDED_FOR, peer, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1   | for=203.0.113.7                           | 192.0.2.1",
                "10.1.1.1    | for=6.6.6.6, For=203.0.113.7;proto=https  | 203.0.113.7",
                "10.1.1.1    | for=203.0.113.7;by=10.1.1.1, for=10.2.2.2 | 203.0.113.7",
                "10.1.1.1    | for=_hidden                               | 10.1.1.1",
                "10.1.1.1    | for=\"[2001:db8::1]:443\"                 | 2001:db8::1",
            })
    void soDoesForwardedWhereTheProxiesWriteThat(String peer, String value, String client) {
        assertEquals(address(client), client(ClientAddresses.FORWARDED, peer, value));
    }

    @Test
    void severalFieldsAreOneListInTheirOrder() {
        assertEquals(
                address("203.0.113.7"),
                client(ClientAddresses.X_FORWARDED_FOR, "10.1.1.1", "6.6.6.6", "203.0.113.7, 10.9.9.9"));
        assertEquals(address("10.1.1.1"), client(ClientAddresses.X_FORWARDED_FOR, "10.1.1.1"), "no field at all");
    }

    @Test
    void nameOfFieldHasNoCase() {
        assertEquals(address("203.0.113.7"), client("forwarded", "10.1.1.1", "for=203.0.113.7"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0/8", "::/129", "proxy.example", "10.0.0.0/x", "1.2.3.999"})
    void whatIsNoRangeIsRefusedByName(String range) {
        String reason = assertThrows(IllegalArgumentException.class, () -> Address.ranges("10.0.0.0/8," + range))
                .getMessage();
        assertEquals(range + " is no address range such as 10.0.0.0/8", reason);
    }
}
