/// A transport that may be given what stands for secrets in recordings: no server gets to see it.
package protocol StandInTransport: Transport {}
