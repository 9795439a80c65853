/**
 * The commands of those who operate the brokers, or read them: topics, access, backfill, receipt. In: the brokers' address and a client's
 * properties. Out: lines on standard output, and topics, ACLs and tombstones that were missing.
 */
@NullMarked
package io.fundingobservatory.standalone.brokers;

import org.jspecify.annotations.NullMarked;
