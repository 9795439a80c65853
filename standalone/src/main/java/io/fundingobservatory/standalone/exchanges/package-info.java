/**
 * The exchanges without the service: probe, record, read, and whether any can be reached from here. In: which exchanges, live, simulated or
 * recorded. Out: what they answered, as a table, JSON or files, and the rows that the service would make of it.
 */
@NullMarked
package io.fundingobservatory.standalone.exchanges;

import org.jspecify.annotations.NullMarked;
