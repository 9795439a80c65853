/**
 * Compares the running service with its own descriptions: its OpenAPI description, the skill, the files. In:
 * requests. Out: where both differ.
 */
package io.fundingobservatory.gateway.descriptions;
