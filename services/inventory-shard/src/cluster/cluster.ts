/**
 * Opens the room of the cluster: the partitions that this process owns (ownership.ts), the ways to hear of other
 * members (member-bus.ts, leases.ts), the state of the link to NATS (connection.ts), the elections of the streams'
 * leaders (elections.ts), the storage of the journal and its disk (store-watch.ts), the operator's word about lost
 * records (acceptances.ts), and the step to a higher form of the journal (raise-form.ts).
 */

export { hearAcceptances } from './acceptances.ts';
export { storeAnswerMsMax } from './bounds.ts';
export { watchLink } from './connection.ts';
export { hearElections } from './elections.ts';
export { createLeases } from './leases.ts';
export { createMemberBus } from './member-bus.ts';
export { Ownership } from './ownership.ts';
export { raiseFormIfAsked } from './raise-form.ts';
export { roomOf, StoreWatch } from './store-watch.ts';
