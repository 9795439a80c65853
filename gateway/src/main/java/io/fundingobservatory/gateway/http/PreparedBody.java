package io.fundingobservatory.gateway.http;

import io.fundingobservatory.gateway.core.coding.Segment;
import io.fundingobservatory.gateway.traffic.Address;
import java.util.List;

/** Prepared bytes, shared with other responses, on their way to a client. */
record PreparedBody(List<Segment> segments, Address client) {}
