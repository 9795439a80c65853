package io.fundingobservatory.topics.carry;

import java.math.BigDecimal;

/**
 * Percentiles of a contract's settled rates of 30 whole days. Each rate is converted to 8 hours and weighted by the hours that its
 * settlement closed. A percentile is the smallest of these rates that so many percent of the time did not exceed. All are
 * fractions of notional per 8 hours; longs paid shorts when positive.
 *
 * @param p10 the 10th percentile
 * @param p50 the median
 * @param p90 the 90th percentile
 */
public record RatePercentiles(BigDecimal p10, BigDecimal p50, BigDecimal p90) {}
