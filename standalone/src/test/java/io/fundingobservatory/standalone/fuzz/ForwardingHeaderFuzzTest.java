package io.fundingobservatory.standalone.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Any forwarding header leads to an address. A peer without proxy rights keeps its own address, and a
 * client's part of the header changes nothing.
 */
@Tag("fuzz")
class ForwardingHeaderFuzzTest {
    private static final List<Address> PROXIES = Address.ranges("10.0.0.0/8");
    private static final Address PROXY = Address.parse("10.1.2.3").orElseThrow();
    private static final Address CLIENT = Address.parse("192.0.2.7").orElseThrow();

    @FuzzTest(maxDuration = "1m")
    void givesClientAddress(FuzzedDataProvider fuzz) {
        String header = fuzz.pickValue(List.of(ClientAddresses.X_FORWARDED_FOR, ClientAddresses.FORWARDED));
        String value = fuzz.consumeRemainingAsString();
        var addresses = new ClientAddresses(PROXIES, header);
        assertEquals(CLIENT, addresses.client(CLIENT, List.of(value)));
        addresses.client(PROXY, List.of(value));
        // What the proxy itself adds on the right is what counts.
        String own = header.equals(ClientAddresses.FORWARDED) ? "for=192.0.2.7" : "192.0.2.7";
        assertEquals(CLIENT, addresses.client(PROXY, List.of(value, own)));
        assertEquals(CLIENT, addresses.client(PROXY, List.of(value + "," + own)));
    }
}
