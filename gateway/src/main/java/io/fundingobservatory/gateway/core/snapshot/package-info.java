/**
 * Everything that is known at one instant, complete and immutable. In: rows, statuses and the ranking. Out: the bodies of the tables,
 * each prepared once.
 */
@NullMarked
package io.fundingobservatory.gateway.core.snapshot;

import org.jspecify.annotations.NullMarked;
