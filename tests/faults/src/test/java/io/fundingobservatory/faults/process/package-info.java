/**
 * Brokers and services as processes that can be killed, stopped and started again; they end with the test.
 */
@NullMarked
package io.fundingobservatory.faults.process;

import org.jspecify.annotations.NullMarked;
