/** Environment → typed settings: the only reader of process.env. */
import { type AskedLayout, askedLayout } from '@parterre/shared/runtime/cluster-layout';
import { SettingFault, secretOf } from '@parterre/shared/runtime/environment';
import { type NatsAccess, readNatsAccess } from '@parterre/shared/runtime/nats-access';
import '@parterre/shared/protocol/plain-issues';
import { z } from 'zod';
import { passwordLogN } from './accounts/passwords.ts';
import { auditDaysMax, auditDaysUsual } from './store/rules/bounds.ts';

const DAY_MS = 24 * 60 * 60_000;

const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  PARTERRE_DATA: z.string().default('.parterre'),
  PARTERRE_LOG_LEVEL: z.string().default('info'),
  HEALTH_PORT: port.default(0),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  PARTERRE_PASSWORD_COST: z.coerce
    .number()
    .int()
    .min(passwordLogN.min)
    .max(passwordLogN.max)
    .default(passwordLogN.usual),
  PARTERRE_AUDIT_DAYS: z.coerce.number().int().min(1).max(auditDaysMax).default(auditDaysUsual),
});

export type Config = {
  nats: NatsAccess;
  /** The address of MongoDB; null for the embedded store in `dataFolder`. May carry credentials: never logged. */
  mongodbUrl: string | null;
  dataFolder: string;
  logLevel: string;
  healthPort: number;
  healthHost: string;
  layout: AskedLayout;
  /** The cost of new passwords: log2 of scrypt's N. */
  passwordLogN: number;
  /** How long an entry of the audit stays. */
  auditKeepMs: number;
};

/** Throws a `SettingFault` that names the wrong variable, never a secret. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable counts as unset: compose files and shells leave empty variables.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data: parsed, error } = environment.safeParse(set);
  if (!parsed)
    throw new SettingFault(`read ${error.issues.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
  return {
    nats: readNatsAccess(env),
    mongodbUrl: secretOf(env, 'MONGODB_URL'),
    dataFolder: parsed.PARTERRE_DATA,
    logLevel: parsed.PARTERRE_LOG_LEVEL,
    healthPort: parsed.HEALTH_PORT,
    healthHost: parsed.HEALTH_HOST,
    layout: askedLayout(env),
    passwordLogN: parsed.PARTERRE_PASSWORD_COST,
    auditKeepMs: parsed.PARTERRE_AUDIT_DAYS * DAY_MS,
  };
}
