package io.fundingobservatory.gateway.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fundingobservatory.gateway.settings.StandardPort;
import io.fundingobservatory.gateway.traffic.Address;
import io.fundingobservatory.gateway.traffic.ClientAddresses;
import io.fundingobservatory.gateway.traffic.ForwardingHeader;
import io.fundingobservatory.gateway.traffic.Network;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With the published bounds: 2,048 connections, 32 of one client. */
class OpenConnectionsTest {
    private final OpenConnections connections = new OpenConnections(
            StandardPort.SETTINGS, new ClientAddresses(Network.list("192.0.2.1"), ForwardingHeader.X_FORWARDED_FOR));

    private int admitted(String network, int from, int to) {
        int admitted = 0;
        for (int i = from; i < to; i++) {
            Address peer =
                    Address.parse(network.replace("N", Integer.toHexString(i))).orElseThrow();
            admitted += connections.opened(peer) == OpenConnections.Room.YES ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void widerIpv6NetworksHaveLargerLimits() {
        assertEquals(32, admitted("2001:db8:0:100::N", 0, 33), "one /64");
        connections.closed(Address.parse("2001:db8:0:100::1").orElseThrow(), OpenConnections.Room.YES);
        assertEquals(128 - 32, admitted("2001:db8:0:1N::1", 16, 256), "what one /56 holds besides");
        Address other = Address.parse("2001:db8:1::1").orElseThrow();
        assertEquals(OpenConnections.Room.YES, connections.opened(other), "another /48");
        connections.closed(other, OpenConnections.Room.YES);
    }

    @Test
    void limitsIpv4AddressButNotTrustedProxy() {
        Address client = Address.parse("198.51.100.7").orElseThrow();
        for (int i = 0; i < 32; i++) {
            assertEquals(OpenConnections.Room.YES, connections.opened(client));
        }
        assertEquals(OpenConnections.Room.FULL_FOR_CLIENT, connections.opened(client));
        connections.closed(client, OpenConnections.Room.FULL_FOR_CLIENT);
        Address proxy = Address.parse("192.0.2.1").orElseThrow();
        for (int i = 32; i < 2_048; i++) {
            assertEquals(OpenConnections.Room.YES, connections.opened(proxy));
        }
        assertEquals(OpenConnections.Room.FULL, connections.opened(proxy));
        assertEquals(2_049, connections.count());
    }

    /** 2,047 connections of others are open: a client that opens one after another is refused, and the last place stays free. */
    @Test
    void refusedConnectionsTakeNoPlaceFromOthers() {
        Address proxy = Address.parse("192.0.2.1").orElseThrow();
        for (int i = 0; i < 2_047 - 32; i++) {
            assertEquals(OpenConnections.Room.YES, connections.opened(proxy));
        }
        Address client = Address.parse("198.51.100.7").orElseThrow();
        var rooms = new EnumMap<OpenConnections.Room, Integer>(OpenConnections.Room.class);
        for (int i = 0; i < 500; i++) {
            rooms.merge(connections.opened(client), 1, Integer::sum);
        }
        assertEquals(
                Map.of(
                        OpenConnections.Room.YES, 32,
                        OpenConnections.Room.FULL_FOR_CLIENT, 32,
                        OpenConnections.Room.OVERRUN, 500 - 64),
                rooms);
        Address other = Address.parse("198.51.100.8").orElseThrow();
        assertEquals(OpenConnections.Room.YES, connections.opened(other));
    }

    /** What is refused is counted as well, until it is closed: 256 of them get a response that says why. */
    @Test
    void closesWithoutResponseFarAboveLimit() {
        Address proxy = Address.parse("192.0.2.1").orElseThrow();
        for (int i = 0; i < 2_048 + 256; i++) {
            connections.opened(proxy);
        }
        assertEquals(OpenConnections.Room.OVERRUN, connections.opened(proxy));
    }
}
