/**
 * Rights of the roles of services and teams on brokers with TLS, SCRAM and an authorizer. In: the operator's
 * own commands, and clients of each role. Out: expected and actual permissions.
 */
package io.fundingobservatory.standalone.roles;
