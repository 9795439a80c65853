package io.fundingobservatory.gateway.publishing;

import io.fundingobservatory.topics.records.PublishedList;
import io.fundingobservatory.topics.records.VenueStatus;
import java.util.Collection;

/**
 * What a published list was made from.
 *
 * @param list its record, which does not name the statuses yet
 * @param statuses the statuses that it was made with, one of each venue; never changed
 */
record ListSources(PublishedList list, Collection<VenueStatus> statuses) {}
