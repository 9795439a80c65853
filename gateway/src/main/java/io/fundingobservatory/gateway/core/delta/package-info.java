/**
 * What changed between two snapshots of a list. In: the rows of each snapshot as they were served, and the tag that a client
 * sends. Out: new and changed rows, and the keys of rows that went.
 */
@NullMarked
package io.fundingobservatory.gateway.core.delta;

import org.jspecify.annotations.NullMarked;
