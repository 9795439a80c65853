package io.fundingobservatory.gateway.core.request;

import java.util.List;

/**
 * Names of the fields that rows of one response can have, in the order of a row.
 *
 * @param names all of them; {@code long.venue} is {@code venue} of the object {@code long}
 * @param numeric those whose values are numbers or null; rows can be ordered by them
 */
public record RowFields(List<String> names, List<String> numeric) {}
