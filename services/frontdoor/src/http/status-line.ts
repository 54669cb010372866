/** `404` → `404 Not Found`. */
import { STATUS_CODES } from 'node:http';

const lines = new Map(Object.entries(STATUS_CODES).map(([code, name]) => [Number(code), `${code} ${name}`]));

export function statusLine(status: number): string {
  return lines.get(status) ?? `${status} Unknown`;
}
