/**
 * Rights of each role on brokers that check them. In: the topic catalogue. Out: ACLs for each role.
 */
@NullMarked
package io.fundingobservatory.topics.access;

import org.jspecify.annotations.NullMarked;
