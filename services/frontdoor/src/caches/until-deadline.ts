/**
 * Waits of a request for work that it shares with others: a load of a cache, a feed's replica. The work has a deadline
 * of its own and goes on; the request waits for it until its own deadline.
 *
 * States of a wait: waiting → done, or late. A late wait is refused, retryable, because shared work changes nothing. A
 * rejection of the work reaches the request before the deadline. After the deadline no request hears of the rejection.
 */

import type { Outcome } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import { unheard } from '@parterre/shared/runtime/unheard';

const late = unheard('catalog_unavailable', 'A part of the server', 'harmless');

/** Returns without a promise if the work is done. The timer of a wait exists only while the work is not done. */
export function untilDeadline<T>(
  clock: Clock,
  deadlineAt: number,
  work: Outcome<T> | Promise<Outcome<T>>,
): Outcome<T> | Promise<Outcome<T>> {
  if (!(work instanceof Promise)) return work;
  return new Promise((resolve, reject) => {
    const cancel = clock.after(deadlineAt - clock.elapsed(), () => resolve(late));
    void work.then(resolve, reject).then(cancel);
  });
}
