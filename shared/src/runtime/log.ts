/** Structured logs on stderr, one JSON object a line. Never a token, key, secret or session id: log ids only. */
import { type Logger, pino } from 'pino';

export type { Logger };

export function createLog(service: string, level: string): Logger {
  return pino({ name: service, level, base: { service } }, pino.destination({ dest: 2, sync: true }));
}
