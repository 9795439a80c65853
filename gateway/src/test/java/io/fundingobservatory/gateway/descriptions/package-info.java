/** The running service held against what it says of itself: its description, the skill, the files. In: requests. Out: where both differ. */
package io.fundingobservatory.gateway.descriptions;
