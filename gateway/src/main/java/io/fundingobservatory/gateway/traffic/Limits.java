package io.fundingobservatory.gateway.traffic;

/**
 * Where the lines are drawn for one IPv4 address or IPv6 /64; a /56 may do four times, a /48 sixteen times as much.
 *
 * @param pointsPerMinute what a client may request in the long run
 * @param burstPoints what it may request at once
 * @param windowS the time over which a sweep is looked for, seconds
 * @param sweepNames different symbols and assets in that time, each in a request of its own, from which on it can be a sweep
 * @param sweepPercent of those, how many percent looked at once make it one
 * @param windowNames different ones in that time, whatever the share
 * @param hourNames different ones in an hour, whatever the share
 * @param requestNames different ones in one request
 * @param shortestRefusalS the first refusal of a sweep, seconds; each further one is twice as long
 * @param longestRefusalS the longest one, seconds
 * @param memoryBytes what is remembered of all clients together, about
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
        int shortestRefusalS,
        int longestRefusalS,
        long memoryBytes) {
    public static final Limits STANDARD = new Limits(120, 60, 600, 40, 70, 120, 300, 50, 60, 600, 48L << 20);

    public Limits {
        if (pointsPerMinute < 1 || burstPoints < 6 || windowS < 1 || windowS > 3_600 || memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("a traffic limit is out of its range");
        }
    }
}
