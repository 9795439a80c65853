package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.traffic.Address;
import java.util.List;

/**
 * A body that is prepared.
 *
 * @param pieces its bytes, shared with other answers
 * @param client whom it is sent to
 */
record PreparedBody(List<byte[]> pieces, Address client) {}
