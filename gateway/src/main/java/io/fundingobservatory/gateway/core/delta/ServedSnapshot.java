package io.fundingobservatory.gateway.core.delta;

import io.fundingobservatory.gateway.core.rows.VenuePrint;
import java.util.Map;

/**
 * A list that was served.
 *
 * @param scope canonical name of its scope
 * @param generatedAtMs generation time of its snapshot, epoch ms UTC
 * @param venues prints by venue; a venue without rows has none
 */
record ServedSnapshot(String scope, long generatedAtMs, Map<String, VenuePrint> venues) {}
