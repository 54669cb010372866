/** The notifier's settings: the only reader of the environment. */
import { Fault } from '@parterre/shared/errors';

export type Settings = {
  /** May carry credentials: never logged. */
  natsUrl: string;
  /** Number of journal partitions, as the deployment was first started with. */
  partitions: number;
  /** Lets webhooks go to loopback addresses and over plain http. For development. */
  loopbackOpen: boolean;
  healthPort: number;
  healthHost: string;
  logLevel: string;
};

/** Throws a `Fault` that names the variable when one cannot be read. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const partitions = wholeNumber(environment, 'JOURNAL_PARTITIONS', 8);
  if (partitions < 1 || (partitions & (partitions - 1)) !== 0) {
    throw new Fault(`read JOURNAL_PARTITIONS: ${partitions} is not a power of two`);
  }
  return {
    natsUrl: environment.NATS_URL || 'nats://127.0.0.1:4222',
    partitions,
    loopbackOpen: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    healthPort: wholeNumber(environment, 'HEALTH_PORT', 0),
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
  };
}

function wholeNumber(environment: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Fault(`read ${name}: "${text}" is not a whole number`);
  return Number(text);
}
