/** The answer to an exchange. */
import { z } from 'zod';
import { currency, idOf, lineItem, ok, text } from '../records/records.ts';

export const exchangeAnswer = z.object({
  ok,
  exchangeId: idOf('exc'),
  bookingRef: text,
  from: z.array(text).describe('The units that are free now.'),
  to: z.array(text).describe('The units that the booking has instead.'),
  items: z.array(lineItem).describe('The new units with their prices.'),
  priceDifference: z
    .int()
    .describe(
      'The value of the new units less the value of the old ones, in major units of the currency. Negative when the ' +
        'new units are cheaper.',
    ),
  currency,
});
