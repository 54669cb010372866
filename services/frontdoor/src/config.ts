/** The environment as typed settings: the only reader of process.env in this service. */
import { Fault } from '@parterre/shared/errors';

export type Config = {
  /** 0 picks a free port, told to the parent process when ready. */
  port: number;
  host: string;
  natsUrl: string;
  /** Opens /v1/admin; at least 32 characters. Null closes it. Never logged. */
  rootToken: string | null;
  /** Off lifts every request budget: for load tests only. */
  budgets: boolean;
  /** Power of two, the same for every service of a deployment. */
  partitions: number;
  /** Lets webhooks go over plain http to loopback addresses, for development; the notifier reads the same variable. */
  loopbackWebhooks: boolean;
  healthPort: number | null;
  healthHost: string;
  logLevel: string;
};

const ROOT_TOKEN_LENGTH_MIN = 32;

/** Throws a `Fault` that names the variable at fault, never its value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const rootToken = environment.PARTERRE_ROOT_TOKEN || null;
  if (rootToken !== null && rootToken.length < ROOT_TOKEN_LENGTH_MIN) {
    throw new Fault(`read PARTERRE_ROOT_TOKEN: it needs at least ${ROOT_TOKEN_LENGTH_MIN} characters`);
  }
  const partitions = integer(environment, 'JOURNAL_PARTITIONS', 8);
  if (partitions < 1 || (partitions & (partitions - 1)) !== 0) {
    throw new Fault('read JOURNAL_PARTITIONS: it is a power of two');
  }
  return {
    port: integer(environment, 'PORT', 8080),
    host: environment.HOST || '0.0.0.0',
    natsUrl: environment.NATS_URL || 'nats://127.0.0.1:4222',
    rootToken,
    budgets: environment.PARTERRE_BUDGETS !== 'off',
    partitions,
    loopbackWebhooks: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    healthPort: environment.HEALTH_PORT ? integer(environment, 'HEALTH_PORT', 0) : null,
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
  };
}

function integer(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw new Fault(`read ${name}: it is a whole number`);
  return Number(text);
}
