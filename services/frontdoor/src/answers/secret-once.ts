/** An answer that shows a secret for the only time. No cache on its way may keep it. */
import { done, type Outcome } from '@parterre/shared/errors';
import { type Header, jsonType, noStore, Prepared } from './answer.ts';

export function secretOnce<Value extends object>(
  body: Value,
  status = 201,
  more: readonly Header[] = [],
): Outcome<Prepared<Value>> {
  return done(new Prepared<Value>(status, [jsonType, noStore, ...more], JSON.stringify(body)));
}
