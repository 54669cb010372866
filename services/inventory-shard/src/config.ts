/** Environment → settings; the only reader of process.env in this service. */
export type Config = {
  natsUrl: string;
  partitions: number;
  replicas: number;
  logLevel: string;
  healthPort: number;
  healthHost: string;
};

/** Throws an error that names the variable when a value does not fit. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const partitions = wholeNumber(env, 'JOURNAL_PARTITIONS', 8);
  if (partitions < 1 || (partitions & (partitions - 1)) !== 0) {
    throw new Error(`JOURNAL_PARTITIONS must be a power of two, not ${partitions}.`);
  }
  return {
    natsUrl: env.NATS_URL ?? 'nats://127.0.0.1:4222',
    partitions,
    replicas: wholeNumber(env, 'JOURNAL_REPLICAS', 1),
    logLevel: env.PARTERRE_LOG_LEVEL ?? 'info',
    healthPort: wholeNumber(env, 'HEALTH_PORT', 0),
    healthHost: env.HEALTH_HOST ?? '127.0.0.1',
  };
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${text}".`);
  return value;
}
