/** Commands to the owners of partitions. */
export { createNatsCommandBus } from './command-bus.ts';
export { createPlacement, type EventAddress, type Placement } from './placement.ts';
export { createShardClient, type ShardClient } from './shard-client.ts';
