/**
 * The public HTTP interface: global stores of the latest rates, one publisher of immutable snapshots, and requests that read one
 * reference and never a store.
 */
@NullMarked
package io.fundingobservatory.gateway;

import org.jspecify.annotations.NullMarked;
