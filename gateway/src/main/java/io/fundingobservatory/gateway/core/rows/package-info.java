/**
 * What is known of each exchange. In: rows of the table and what pollers said. Out: rows as of an instant with their bytes, what is
 * missing and why, and whether all that is expected has arrived.
 */
@NullMarked
package io.fundingobservatory.gateway.core.rows;

import org.jspecify.annotations.NullMarked;
