/** Names of saves and drafts. */
import { afterEach, expect, test, vi } from 'vitest';
import { newKey } from '../../../../web/designer/session/new-key.ts';

afterEach(() => vi.unstubAllGlobals());

test('names differ, also on plain http, where browsers have no randomUUID', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const keys = Array.from({ length: 1_000 }, newKey);
  expect(new Set(keys).size).toBe(1_000);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
