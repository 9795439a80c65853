package io.fundingobservatory.faults.invariants;

import java.util.List;
import java.util.function.Supplier;

/**
 * What must hold through a run, whatever breaks in it.
 *
 * @param name in reports
 * @param violations what broke it so far, for people; empty while it holds
 */
public record Invariant(String name, Supplier<List<String>> violations) {}
