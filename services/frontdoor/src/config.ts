/** The environment as typed settings: the only reader of process.env in this service. */
import { type AskedLayout, askedLayout } from '@parterre/shared/cluster-layout';
import { SettingFault, secretOf, wholeNumber } from '@parterre/shared/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/nats-access';
import { type BudgetLimits, type ClientAddress, readBudgetLimits, readTrustedProxies } from './admission/admission.ts';

export type Config = {
  /** 0 picks a free port. The service tells its parent process the port when it is ready. */
  port: number;
  host: string;
  nats: NatsAccess;
  /** The token that opens /v1/admin: at least 32 characters, never logged. Null closes /v1/admin. */
  rootToken: string | null;
  /** Null lifts every request budget. An entry replaces the usual limit of a budget. For load tests only. */
  budgets: BudgetLimits | null;
  /** Finds the caller's address. It believes X-Forwarded-For from trusted proxies only. */
  clientAddress: ClientAddress;
  /** A viewer is dropped after this long without a sign of life. Replies to pings count. */
  viewerIdleSeconds: number;
  layout: AskedLayout;
  /** Replicas of each stream and bucket in NATS, the same for every service of a deployment. */
  replicas: number;
  /** Allows webhooks over plain http to loopback addresses, for development. The notifier reads the same variable. */
  loopbackWebhooks: boolean;
  healthPort: number | null;
  healthHost: string;
  logLevel: string;
};

const VIEWER_IDLE_SECONDS = 32;
const ROOT_TOKEN_LENGTH_MIN = 32;

/** Throws a `SettingFault` that names the variable at fault, never its value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const rootToken = secretOf(environment, 'PARTERRE_ROOT_TOKEN');
  if (rootToken !== null && rootToken.length < ROOT_TOKEN_LENGTH_MIN) {
    throw new SettingFault(`read PARTERRE_ROOT_TOKEN: it needs at least ${ROOT_TOKEN_LENGTH_MIN} characters`);
  }
  return {
    port: wholeNumber(environment, 'PORT', 8080),
    host: environment.HOST || '0.0.0.0',
    nats: readNatsAccess(environment),
    rootToken,
    budgets: environment.PARTERRE_BUDGETS === 'off' ? null : budgetLimits(environment.PARTERRE_BUDGETS || ''),
    clientAddress: clientAddress(environment.PARTERRE_TRUSTED_PROXIES || ''),
    viewerIdleSeconds: wholeNumber(environment, 'PARTERRE_VIEWER_IDLE_SECONDS', VIEWER_IDLE_SECONDS),
    layout: askedLayout(environment),
    replicas: wholeNumber(environment, 'JOURNAL_REPLICAS', 1),
    loopbackWebhooks: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    healthPort: environment.HEALTH_PORT ? wholeNumber(environment, 'HEALTH_PORT', 0) : null,
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
  };
}

function budgetLimits(text: string): BudgetLimits {
  const limits = readBudgetLimits(text);
  if ('fault' in limits) throw new SettingFault(`read PARTERRE_BUDGETS: ${limits.fault}`);
  return limits;
}

function clientAddress(text: string): ClientAddress {
  const read = readTrustedProxies(text);
  if ('fault' in read) throw new SettingFault(`read PARTERRE_TRUSTED_PROXIES: ${read.fault}`);
  return read.clientAddress;
}
