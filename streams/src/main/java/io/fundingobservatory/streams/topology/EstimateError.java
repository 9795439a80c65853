package io.fundingobservatory.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fundingobservatory.topics.ContractKey;
import java.math.BigDecimal;
import org.apache.kafka.common.serialization.Serde;

/**
 * How far our last reading was from what the exchange settled.
 *
 * @param settledMs the instant of the charge, epoch ms UTC, on a whole minute
 * @param error |settled − estimate|, fraction of notional
 */
record EstimateError(ContractKey key, long settledMs, BigDecimal error) implements Finding {
    /** The key under which all of an exchange meet. */
    byte[] venueKey() {
        return key.venue().getBytes(UTF_8);
    }

    /** How it stands on the internal topic. */
    static Serde<EstimateError> serde() {
        return Binary.serde(
                (finding, to) -> {
                    to.writeUTF(finding.key.toString());
                    to.writeLong(finding.settledMs);
                    Binary.decimal(to, finding.error);
                },
                from -> new EstimateError(ContractKey.parse(from.readUTF()), from.readLong(), Binary.decimal(from)));
    }
}
