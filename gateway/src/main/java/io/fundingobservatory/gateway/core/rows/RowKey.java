package io.fundingobservatory.gateway.core.rows;

/** What identifies a row. */
public record RowKey(String venue, String symbol) {}
