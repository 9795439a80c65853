/**
 * Who may do what on brokers that ask. In goes the topic catalogue; out come ACLs for each role, and the difference to those that a
 * cluster has.
 */
@NullMarked
package io.fundingobservatory.topics.access;

import org.jspecify.annotations.NullMarked;
