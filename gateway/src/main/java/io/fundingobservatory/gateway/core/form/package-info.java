/** The form in which rows are written. In: rows and the form of a request. Out: the same values, selected, ordered and written. */
@NullMarked
package io.fundingobservatory.gateway.core.form;

import org.jspecify.annotations.NullMarked;
