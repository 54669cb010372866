/** Commands to the owners of partitions. */
export { createCommandBus } from './command-bus.ts';
export { createShardClient, type ShardClient } from './shard-client.ts';
export { ShardLinks } from './shard-links.ts';
