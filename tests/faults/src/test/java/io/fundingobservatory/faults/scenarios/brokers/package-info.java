/**
 * Faults of the brokers and of the way to them: killed, restarted, full, slow, silent, cut off. In: an installation and chance.
 * Out: the brokers and links as before, with what was seen meanwhile.
 */
@NullMarked
package io.fundingobservatory.faults.scenarios.brokers;

import org.jspecify.annotations.NullMarked;
