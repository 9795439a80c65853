package io.fundingobservatory.gateway.publishing;

/** The first complete snapshot: its rows, of all exchanges, and the exchanges with at least one. */
public record FirstSnapshot(int rows, int venues) {}
