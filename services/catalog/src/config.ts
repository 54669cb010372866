/** Environment → typed settings: the only reader of process.env. */
import { type AskedLayout, askedLayout } from '@parterre/shared/cluster-layout';
import { z } from 'zod';
import { passwordLogN } from './accounts/passwords.ts';

const port = z.coerce.number().int().min(0).max(65_535);

const environment = z.object({
  NATS_URL: z.string().default('nats://127.0.0.1:4222'),
  MONGODB_URL: z.string().optional(),
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
});

export type Config = {
  natsUrl: string;
  /** The address of MongoDB; null for the embedded store in `dataFolder`. May carry credentials: never logged. */
  mongodbUrl: string | null;
  dataFolder: string;
  logLevel: string;
  healthPort: number;
  healthHost: string;
  layout: AskedLayout;
  /** The cost of new passwords: log2 of scrypt's N. */
  passwordLogN: number;
};

/** Throws an error that names the wrong variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset: compose files and shells leave empty variables.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.parse(set);
  return {
    natsUrl: parsed.NATS_URL,
    mongodbUrl: parsed.MONGODB_URL ?? null,
    dataFolder: parsed.PARTERRE_DATA,
    logLevel: parsed.PARTERRE_LOG_LEVEL,
    healthPort: parsed.HEALTH_PORT,
    healthHost: parsed.HEALTH_HOST,
    layout: askedLayout(env),
    passwordLogN: parsed.PARTERRE_PASSWORD_COST,
  };
}
