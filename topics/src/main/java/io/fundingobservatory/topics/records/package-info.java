/**
 * The values of the topics and the words in them: quotes, rates, settlements, status and quality of an exchange. In: exact values. Out:
 * records, and for each its {@code CODEC}. What is not known is null.
 */
@NullMarked
package io.fundingobservatory.topics.records;

import org.jspecify.annotations.NullMarked;
