/** An answer that shows a secret for the only time. No cache on its way keeps it, as of every answer (caching.ts). */
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { Header, Prepared } from './answer.ts';
import { preparedJson, spell } from './spelling.ts';

export function secretOnce<Value extends object>(
  body: Value,
  status = 201,
  more: readonly Header[] = [],
): Outcome<Prepared<Value>> {
  return done(preparedJson(spell(body), more, status));
}
