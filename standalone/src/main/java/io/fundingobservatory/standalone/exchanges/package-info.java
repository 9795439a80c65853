/**
 * The venues without the service: probe, record, read, and whether one can be reached from here. In: which
 * venues, live, simulated or recorded. Out: their responses as a table, JSON or files, and the rows that the
 * service would derive.
 */
@NullMarked
package io.fundingobservatory.standalone.exchanges;

import org.jspecify.annotations.NullMarked;
