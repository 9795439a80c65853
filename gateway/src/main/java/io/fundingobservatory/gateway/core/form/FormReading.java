package io.fundingobservatory.gateway.core.form;

/** What the parameters of a form were read as: a form, or the reason why they cannot be read. */
public sealed interface FormReading permits RowForm, UnreadableForm {}
