/** The notifier's settings: the only reader of the environment. */
import { type AskedLayout, askedLayout } from '@parterre/shared/cluster-layout';
import { wholeNumber } from '@parterre/shared/environment';

export type Settings = {
  /** May carry credentials: never logged. */
  natsUrl: string;
  layout: AskedLayout;
  /** Lets webhooks go to loopback addresses and over plain http. For development. */
  loopbackOpen: boolean;
  healthPort: number;
  healthHost: string;
  logLevel: string;
};

/** Throws a `Fault` that names the variable when one cannot be read. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  return {
    natsUrl: environment.NATS_URL || 'nats://127.0.0.1:4222',
    layout: askedLayout(environment),
    loopbackOpen: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    healthPort: wholeNumber(environment, 'HEALTH_PORT', 0),
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
  };
}
