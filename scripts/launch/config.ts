/** Environment → what the launcher is told; the only reader of process.env here. All of it is listed in README.md. */
import { resolve } from 'node:path';

export type Settings = {
  /** 0 picks a free one. */
  port: number;
  host: string;
  /** Absolute: what survives a restart. */
  dataFolder: string;
  rootToken: string | null;
  /** A NATS that runs already; null has the launcher run one. May carry credentials: never logged. */
  natsUrl: string | null;
  mongodbUrl: string | null;
  /** `always`, or a duration such as `2m`: how NATS brings appends to the disk. */
  natsSync: string;
  budgets: boolean;
  /** Whether the services' logs go to the terminal instead of to files. */
  logToTerminal: boolean;
  searchPath: string | undefined;
  /** Handed on to the services, which read what is theirs: partitions, log level, deadlines. */
  environment: NodeJS.ProcessEnv;
};

const rootTokenLengthMin = 32;

/** What is wrong with the environment comes back as a sentence for the person who set it. */
export function readSettings(env: NodeJS.ProcessEnv): { settings: Settings } | { problem: string } {
  const port = Number(env.PORT || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return { problem: `PORT is "${env.PORT}", and must be a number from 0 to 65535 (0 picks a free port).` };
  }
  const rootToken = env.PARTERRE_ROOT_TOKEN || null;
  if (rootToken !== null && rootToken.length < rootTokenLengthMin) {
    return {
      problem: `PARTERRE_ROOT_TOKEN has ${rootToken.length} characters, and needs ${rootTokenLengthMin} or more.`,
    };
  }
  const natsSync = env.PARTERRE_NATS_SYNC || 'always';
  if (!/^(always|\d+(ms|s|m|h))$/.test(natsSync)) {
    return { problem: `PARTERRE_NATS_SYNC is "${natsSync}", and must be "always" or a duration such as 10s or 2m.` };
  }
  const settings = {
    port,
    // This machine only: the printed keys open everything. A container or a LAN sets 0.0.0.0.
    host: env.HOST || '127.0.0.1',
    dataFolder: resolve(env.PARTERRE_DATA || '.parterre'),
    rootToken,
    natsUrl: env.NATS_URL || null,
    mongodbUrl: env.MONGODB_URL || null,
    natsSync,
    budgets: env.PARTERRE_BUDGETS !== 'off',
    logToTerminal: env.PARTERRE_LOG === 'stderr',
    searchPath: env.PATH,
    environment: env,
  };
  return { settings };
}
