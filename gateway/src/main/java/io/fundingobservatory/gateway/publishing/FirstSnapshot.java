package io.fundingobservatory.gateway.publishing;

/**
 * The first complete snapshot.
 *
 * @param rows rows shown, of all exchanges
 * @param venues exchanges with at least one row
 */
public record FirstSnapshot(int rows, int venues) {}
