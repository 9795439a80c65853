package io.fundingobservatory.standalone.exchanges;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.fundingobservatory.gateway.publishing.GatewayService;
import io.fundingobservatory.ingest.client.HttpTransport;
import org.junit.jupiter.api.Test;

/** Commands that poll venues start no part of the service. */
class ExchangeAccessTest {
    /** A gateway is started once: this one has not been. */
    @Test
    void pollsVenuesWithoutStartingGateway() {
        try (var context = ExchangeAccess.context()) {
            assertNotNull(context.getBean(HttpTransport.class));
            assertDoesNotThrow(context.getBean(GatewayService.class)::start);
        }
    }
}
