package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.traffic.Address;
import java.util.List;

/**
 * A body that is prepared.
 *
 * @param segments its bytes, shared with other responses
 * @param client the client that it is sent to
 */
record PreparedBody(List<Segment> segments, Address client) {}
