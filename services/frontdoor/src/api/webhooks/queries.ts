/** The query of a subscription's deliveries. */
import { z } from 'zod';
import { parameter } from '../../openapi/openapi.ts';
import { before, choice, wholeNumber } from '../calls/calls.ts';

export const deliveriesQuery = z.object({
  /** The catalog clamps the number. */
  limit: parameter('Deliveries on one page: 20 if absent, at most 50.', z.int(), (sent) => wholeNumber(sent)),
  status: choice(
    'ok: delivered; failed: not delivered, or not yet.',
    ['ok', 'failed'],
    'There is no such outcome of a delivery.',
  ),
  before: before("The previous page's nextBefore."),
});
