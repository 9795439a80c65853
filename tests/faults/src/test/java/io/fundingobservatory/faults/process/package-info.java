/** Brokers as processes behind links, and a small disk. */
@NullMarked
package io.fundingobservatory.faults.process;

import org.jspecify.annotations.NullMarked;
