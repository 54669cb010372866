/** An answer that shows a secret for the only time: nothing on its way may keep it. */
import { done, type Outcome } from '@parterre/shared/errors';
import { type Header, jsonType, noStore, Prepared } from './answer.ts';

export function secretOnce(body: object, status = 201, more: readonly Header[] = []): Outcome<Prepared> {
  return done(new Prepared(status, [jsonType, noStore, ...more], JSON.stringify(body)));
}
