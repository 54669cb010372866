/**
 * Opens the room of the cluster: the partitions that this process owns (ownership.ts), the messages and leases that
 * tell of other members (member-bus.ts, leases.ts), and the state of the NATS link (connection.ts).
 */

export { watchLink } from './connection.ts';
export { createLeases } from './leases.ts';
export { createMemberBus } from './member-bus.ts';
export { Ownership } from './ownership.ts';
