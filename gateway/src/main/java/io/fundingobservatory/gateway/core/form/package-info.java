/**
 * The form in which rows are returned. In: encoded rows and the parameters {@code fields}, {@code order}, {@code limit},
 * {@code layout} and {@code numbers}. Out: the same values, selected, ordered and written in that form.
 */
@NullMarked
package io.fundingobservatory.gateway.core.form;

import org.jspecify.annotations.NullMarked;
