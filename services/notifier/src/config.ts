/** The notifier's settings: the only reader of the environment. */
import { Resolver } from 'node:dns';
import { queuesMbDefault, queuesMbMin } from '@parterre/shared/protocol/webhook-limits';
import { type AskedLayout, askedLayout } from '@parterre/shared/runtime/cluster-layout';
import { SettingFault, wholeNumber } from '@parterre/shared/runtime/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/runtime/nats-access';
import { MIB } from '@parterre/shared/runtime/units';

export type Settings = {
  nats: NatsAccess;
  layout: AskedLayout;
  /** Lets webhooks go to loopback addresses and over plain http. For development. */
  loopbackOpen: boolean;
  /** DNS servers that know receivers' names, `address:port`; null: this machine's servers. */
  nameServers: string[] | null;
  /** The part of NATS's storage that waiting deliveries may take. */
  queuesMb: number;
  /** The storage of all NATS servers together; 0 where nobody names it. */
  natsStorageBytes: number;
  healthPort: number;
  healthHost: string;
  logLevel: string;
};

/** Throws a `SettingFault` that names the unreadable variable. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PARTERRE_WEBHOOK_DNS } = environment;
  return {
    nats: readNatsAccess(environment),
    layout: askedLayout(environment),
    loopbackOpen: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    nameServers: PARTERRE_WEBHOOK_DNS ? nameServersOf(PARTERRE_WEBHOOK_DNS) : null,
    queuesMb: queuesMbOf(environment),
    natsStorageBytes: wholeNumber(environment, 'PARTERRE_NATS_STORAGE_MB', 0) * MIB,
    healthPort: wholeNumber(environment, 'HEALTH_PORT', 0),
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
  };
}

function queuesMbOf(environment: NodeJS.ProcessEnv): number {
  const mb = wholeNumber(environment, 'PARTERRE_WEBHOOK_QUEUES_MB', queuesMbDefault);
  if (mb < queuesMbMin) {
    throw new SettingFault(`read PARTERRE_WEBHOOK_QUEUES_MB: ${mb} is too small, the least is ${queuesMbMin}`);
  }
  return mb;
}

function nameServersOf(list: string): string[] {
  const servers = list.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new SettingFault(`read PARTERRE_WEBHOOK_DNS: ${list} is not a list of DNS server addresses`);
  }
  return servers;
}
