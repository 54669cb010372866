/** The browser origins of a publishable key. */
import type { Issue } from '@parterre/shared/protocol/errors';
import type { Mode } from '@parterre/shared/protocol/records';

/** Exactly `https://host[:port]`; `http://localhost[:port]` in test mode only. */
export function originIssues(origins: readonly string[], mode: Mode): Issue[] {
  return origins.flatMap((origin, index) =>
    isOrigin(origin, mode)
      ? []
      : [
          {
            path: `origins.${index}`,
            message: 'Must be https://host[:port], or http://localhost[:port] in test mode.',
          },
        ],
  );
}

/** Exactly as a browser sends it: without a path, a user, a default port, capitals or a wildcard. */
export function isOrigin(origin: string, mode: Mode): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin !== origin || origin.includes('*')) return false;
  return url.protocol === 'https:' || (mode === 'test' && url.protocol === 'http:' && url.hostname === 'localhost');
}
