package io.fundingobservatory.streams.topology;

/** What following a contract brings to light. */
sealed interface Finding permits Note, EstimateError {}
