package io.fundingobservatory.gateway.core.form;

/**
 * Parameters that describe no form.
 *
 * @param reason one sentence that lists the possible values and repeats nothing of the request
 */
public record UnreadableForm(String reason) implements FormReading {}
