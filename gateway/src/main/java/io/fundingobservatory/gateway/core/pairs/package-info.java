/** The ranking of pairs. In: one table for each asset. Out: complete and incomplete pairs in order, found by asset and by exchange. */
@NullMarked
package io.fundingobservatory.gateway.core.pairs;

import org.jspecify.annotations.NullMarked;
