/**
 * What the role of a service or a team may do on brokers with TLS, SCRAM and an authorizer. In: the operator's own commands, clients of each
 * role. Out: what was allowed beside what is to be.
 */
package io.fundingobservatory.standalone.roles;
