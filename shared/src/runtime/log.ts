/**
 * Structured logs on stderr, one JSON object a line, with the level's name and the time in ISO 8601: people read them
 * without a tool, and every collector knows both forms. Never a token, key, secret or session id: log ids only.
 */
import { type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger };

export function createLog(service: string, level: string): Logger {
  return pino(
    {
      name: service,
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
