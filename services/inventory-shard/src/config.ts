/** Environment → settings; the only reader of process.env in this service. */

import {
  type AskedLayout,
  askedLayout,
  type PlacementTags,
  placementTags,
  preferredRegions,
} from '@parterre/shared/runtime/cluster-layout';
import { type AskedSecrets, askedSecrets } from '@parterre/shared/runtime/deployment-secret';
import { SettingFault, wholeNumber } from '@parterre/shared/runtime/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/runtime/nats-access';
import { MIB } from '@parterre/shared/runtime/units';
import type { LinkPort } from './links/link-server.ts';
import { inventoryMemoryMbDefault } from './partition/partition.ts';

export type Config = {
  nats: NatsAccess;
  layout: AskedLayout;
  /** Regions whose partitions this process prefers to own. */
  regions: readonly string[];
  replicas: number;
  /** The storage of all NATS servers together; 0 where nobody names it. */
  natsStorageBytes: number;
  /** Of the NATS servers that keep new streams and buckets. */
  placementTags: PlacementTags;
  /** The same as the front doors'. */
  secrets: AskedSecrets;
  /** Where front doors connect directly; null for a Unix socket in a folder of its own. */
  links: LinkPort | 'off';
  /** The address that front doors are told, where it is not that of `links`. */
  announcedLink: string | null;
  inventoryMemoryBytes: number;
  /** The folder whose disk is measured; null for no disk. */
  dataFolder: string | null;
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
    natsStorageBytes: wholeNumber(env, 'PARTERRE_NATS_STORAGE_MB', 0) * MIB,
    placementTags: placementTags(env),
    secrets: askedSecrets(env),
    links: linksOf(env.LINK_LISTEN || ''),
    announcedLink: env.LINK_ADDRESS || null,
    inventoryMemoryBytes: wholeNumber(env, 'INVENTORY_MEMORY_MB', inventoryMemoryMbDefault) * 1024 * 1024,
    dataFolder: env.PARTERRE_DATA || null,
    logLevel: env.PARTERRE_LOG_LEVEL || 'info',
    healthPort: wholeNumber(env, 'HEALTH_PORT', 0),
    healthHost: env.HEALTH_HOST || '127.0.0.1',
  };
}

const hostAndPort = /^(\[[0-9a-f:]+\]|[^:]+):(\d{1,5})$/i;

function linksOf(text: string): Config['links'] {
  if (text === '') return null;
  if (text === 'off') return 'off';
  const [, host, port] = hostAndPort.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new SettingFault('read LINK_LISTEN: write host:port, or off, or leave it empty for a Unix socket');
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
