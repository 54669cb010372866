/**
 * Opens the room of the cluster: which partitions this process owns (ownership.ts), by whom it hears of others
 * (member-bus.ts, leases.ts), and whether its link to NATS is up (connection.ts).
 */

export { watchLink } from './connection.ts';
export { createLeases } from './leases.ts';
export { createMemberBus } from './member-bus.ts';
export { Ownership } from './ownership.ts';
