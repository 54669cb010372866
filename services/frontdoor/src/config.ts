/** The environment as typed settings: the only reader of process.env in this service. */

import { drainGraceSecondsMax } from '@parterre/shared/protocol/limits';
import { type AskedLayout, askedLayout } from '@parterre/shared/runtime/cluster-layout';
import { type AskedSecrets, askedSecrets } from '@parterre/shared/runtime/deployment-secret';
import { longSecretOf, SettingFault, secretOf, wholeNumber } from '@parterre/shared/runtime/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/runtime/nats-access';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { AccessLogSettings } from './access-log/access-log.ts';
import {
  type BudgetLimits,
  type ClientAddress,
  type IsProxy,
  readBudgetLimits,
  readTrustedProxies,
} from './admission/admission.ts';
import { replicasPerFrontDoorMax } from './feed-limits.ts';
import { type OidcSettings, readOidcSettings } from './oidc/oidc.ts';

export type Config = {
  /** 0 picks a free port. The service tells its parent process the port when it is ready. */
  port: number;
  host: string;
  nats: NatsAccess;
  /** Each opens /v1/admin: at least 32 characters, never logged. None closes /v1/admin. */
  rootTokens: readonly string[];
  /** They sign tickets and name holds: at least 32 characters, never logged. */
  secrets: AskedSecrets;
  /** Null lifts every request budget. An entry replaces the usual limit of a budget. For load tests only. */
  budgets: BudgetLimits | null;
  /** Finds the caller's address. It believes X-Forwarded-For from trusted proxies only. */
  clientAddress: ClientAddress;
  isProxy: IsProxy;
  /** A viewer is dropped after this long without a sign of life. Replies to pings count. */
  viewerIdleSeconds: number;
  /** Events that viewers and readers of this front door keep in memory, of all organisations together. */
  watchedEventsMax: number;
  /** After SIGTERM the port stays open for this long, so that the load balancer notices /readyz. */
  drainGraceMs: number;
  layout: AskedLayout;
  /** Allows webhooks over plain http to loopback addresses, for development. The notifier reads the same variable. */
  loopbackWebhooks: boolean;
  /** Null: no sign-in with OpenID Connect. The client's secret is never logged. */
  oidc: OidcSettings | null;
  healthPort: number | null;
  healthHost: string;
  /** A file with the keys under which visitors of the demo draw. Null: nobody draws. */
  demoKeysFile: string | null;
  logLevel: string;
  accessLog: AccessLogSettings;
};

const VIEWER_IDLE_SECONDS = 32;
const DRAIN_GRACE_SECONDS = 5;
const SAMPLE_EVERY = 1_000;
const REFUSAL_LINES = 10;

/** Throws a `SettingFault` that names the variable at fault, never its value. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return {
    port: wholeNumber(environment, 'PORT', 8080),
    host: environment.HOST || '0.0.0.0',
    nats: readNatsAccess(environment),
    rootTokens: rootTokens(environment),
    secrets: askedSecrets(environment),
    budgets: environment.PARTERRE_BUDGETS === 'off' ? null : budgetLimits(environment.PARTERRE_BUDGETS || ''),
    ...trustedProxies(environment.PARTERRE_TRUSTED_PROXIES || ''),
    viewerIdleSeconds: wholeNumber(environment, 'PARTERRE_VIEWER_IDLE_SECONDS', VIEWER_IDLE_SECONDS),
    watchedEventsMax: watchedEvents(environment),
    drainGraceMs: drainGraceSeconds(environment) * SECOND_MS,
    layout: askedLayout(environment),
    oidc: oidcSettings(environment),
    loopbackWebhooks: environment.PARTERRE_WEBHOOK_LOOPBACK === '1',
    healthPort: environment.HEALTH_PORT ? wholeNumber(environment, 'HEALTH_PORT', 0) : null,
    healthHost: environment.HEALTH_HOST || '127.0.0.1',
    demoKeysFile: environment.PARTERRE_DEMO_KEYS_FILE || null,
    logLevel: environment.PARTERRE_LOG_LEVEL || 'info',
    accessLog: {
      sampleEvery: wholeNumber(environment, 'PARTERRE_ACCESS_LOG_EVERY', SAMPLE_EVERY),
      refusalLinesMax: refusalLines(environment),
    },
  };
}

/** The token before is accepted too, until its setting goes: callers change theirs meanwhile. */
function rootTokens(environment: NodeJS.ProcessEnv): string[] {
  const tokens = ['PARTERRE_ROOT_TOKEN', 'PARTERRE_ROOT_TOKEN_PREVIOUS'].map((name) => longSecretOf(environment, name));
  if (tokens[0] === null && tokens[1] !== null) {
    throw new SettingFault('read PARTERRE_ROOT_TOKEN_PREVIOUS: PARTERRE_ROOT_TOKEN, the token after it, is not set');
  }
  return tokens.filter((token) => token !== null);
}

function drainGraceSeconds(environment: NodeJS.ProcessEnv): number {
  const seconds = wholeNumber(environment, 'PARTERRE_DRAIN_GRACE_SECONDS', DRAIN_GRACE_SECONDS);
  if (seconds <= drainGraceSecondsMax) return seconds;
  throw new SettingFault(`read PARTERRE_DRAIN_GRACE_SECONDS: at most ${drainGraceSecondsMax}`);
}

function refusalLines(environment: NodeJS.ProcessEnv): number {
  const lines = wholeNumber(environment, 'PARTERRE_REFUSAL_LINES', REFUSAL_LINES);
  if (lines >= 1) return lines;
  throw new SettingFault('read PARTERRE_REFUSAL_LINES: at least 1');
}

function watchedEvents(environment: NodeJS.ProcessEnv): number {
  const events = wholeNumber(environment, 'PARTERRE_WATCHED_EVENTS', replicasPerFrontDoorMax);
  if (events >= 1) return events;
  throw new SettingFault('read PARTERRE_WATCHED_EVENTS: at least 1');
}

function budgetLimits(text: string): BudgetLimits {
  const limits = readBudgetLimits(text);
  if ('fault' in limits) throw new SettingFault(`read PARTERRE_BUDGETS: ${limits.fault}`);
  return limits;
}

function oidcSettings(environment: NodeJS.ProcessEnv): OidcSettings | null {
  const text = (name: string) => environment[`PARTERRE_OIDC_${name}`] || '';
  const read = readOidcSettings({
    issuer: text('ISSUER'),
    clientId: text('CLIENT_ID'),
    clientSecret: secretOf(environment, 'PARTERRE_OIDC_CLIENT_SECRET'),
    redirectUri: text('REDIRECT_URI'),
    scope: text('SCOPE'),
    groupsClaim: text('GROUPS_CLAIM'),
    roles: text('ROLES'),
    createIn: text('CREATE'),
  });
  if (read && 'fault' in read) throw new SettingFault(`read the settings of OpenID Connect: ${read.fault}`);
  return read;
}

function trustedProxies(text: string): Pick<Config, 'clientAddress' | 'isProxy'> {
  const read = readTrustedProxies(text);
  if ('fault' in read) throw new SettingFault(`read PARTERRE_TRUSTED_PROXIES: ${read.fault}`);
  return read;
}
