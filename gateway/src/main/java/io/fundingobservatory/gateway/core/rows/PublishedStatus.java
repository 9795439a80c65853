package io.fundingobservatory.gateway.core.rows;

import io.fundingobservatory.topics.records.VenueStatus;

/** What a poller last said, and the record's own time, epoch ms UTC. */
public record PublishedStatus(VenueStatus status, long publishedAtMs) {}
