package io.fundingobservatory.topics;

/** Tells which venues' contracts exist at an instant. */
@FunctionalInterface
public interface OpenVenues {
    /** The venues of {@link ListedVenue#ALL}. */
    OpenVenues LISTED = (venue, nowMs) ->
            ListedVenue.isListed(venue) && !ListedVenue.of(venue).isClosed(nowMs);

    /**
     * Whether a venue is listed and has not closed.
     *
     * @param nowMs epoch ms UTC
     */
    boolean isOpen(String venue, long nowMs);
}
