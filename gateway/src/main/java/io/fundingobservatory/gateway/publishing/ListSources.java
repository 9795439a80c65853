package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Collection;

/** What a published list was made from: its record, which does not name the statuses yet, and one status of each venue. */
record ListSources(PublishedList list, Collection<VenueStatus> statuses) {}
