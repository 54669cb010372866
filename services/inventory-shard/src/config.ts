/** Environment → settings; the only reader of process.env in this service. */
import { type AskedLayout, askedLayout, preferredRegions } from '@parterre/shared/cluster-layout';
import { wholeNumber } from '@parterre/shared/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/nats-access';
import { inventoryMemoryMbDefault } from './partition/partition.ts';

export type Config = {
  nats: NatsAccess;
  layout: AskedLayout;
  /** Regions whose partitions this process prefers to own. */
  regions: readonly string[];
  replicas: number;
  inventoryMemoryBytes: number;
  logLevel: string;
  healthPort: number;
  healthHost: string;
};

/** Throws an error that names the variable when a value does not fit. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    nats: readNatsAccess(env),
    layout: askedLayout(env),
    regions: preferredRegions(env),
    replicas: wholeNumber(env, 'JOURNAL_REPLICAS', 1),
    inventoryMemoryBytes: wholeNumber(env, 'INVENTORY_MEMORY_MB', inventoryMemoryMbDefault) * 1024 * 1024,
    logLevel: env.PARTERRE_LOG_LEVEL || 'info',
    healthPort: wholeNumber(env, 'HEALTH_PORT', 0),
    healthHost: env.HEALTH_HOST || '127.0.0.1',
  };
}
