/**
 * Faults of what is stored: state, changelogs, offsets, topics, and records that nobody can read. In: an installation, or a folder
 * for one of their own. Out: data that is whole again, with what was seen meanwhile.
 */
@NullMarked
package io.fundingobservatory.faults.scenarios.data;

import org.jspecify.annotations.NullMarked;
