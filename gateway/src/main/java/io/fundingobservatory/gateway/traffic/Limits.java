package io.fundingobservatory.gateway.traffic;

/**
 * The limits of one IPv4 address or IPv6 /64, as settings name them; a /56 may do four times, a /48 sixteen times as much. Times are in
 * seconds, the memory for all clients together is in bytes.
 */
public record Limits(
        int pointsPerMinute,
        int burstPoints,
        int windowS,
        int sweepNames,
        int sweepPercent,
        int windowNames,
        int hourNames,
        int requestNames,
        long memoryBytes) {}
