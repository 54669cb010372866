/** Parts of request bodies of several rooms. Unknown fields are ignored. */
import { idLengthMax, publicSaleBoundMax, unitLabelLengthMax } from '@parterre/shared/limits';
import { visibleText } from '@parterre/shared/names';
import type { PublicSale } from '@parterre/shared/records';
import { z } from 'zod';
import { optional } from './parts.ts';

export const id = z.string().min(1).max(idLengthMax);
export const unitLabel = z.string().min(1).max(unitLabelLengthMax);
export const moment = z.int().min(0);
export const reason = z.string().min(1).max(500);
export const externalRef = z.string().max(128);
export const name = visibleText.min(1).max(200);
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'Must be a currency code of three capital letters.');
/** The environment tag of a key and of the records that it creates. */
export const environment = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'Must be 1 to 64 letters, digits, dots, _ or -.');
export const emptyBody = z.object({});

const bound = optional(z.int().min(1).max(publicSaleBoundMax).nullable());

/** The bounds of public sale. A misspelt bound is refused, since it would bind nobody. Without a bound the value is null. */
export const publicSaleBody = z
  .strictObject({ maxPerHold: bound, maxHeldPerSession: bound, maxHeldPerAddress: bound })
  .nullable()
  .transform((bounds): PublicSale | null => (bounds && Object.keys(bounds).length > 0 ? bounds : null));

/**
 * A record by ids: of divisions, or of the things that `message` names. zod would drop a field `__proto__` silently.
 * This function refuses the field, as the event's actor refuses any other unknown id.
 */
export function recordById<Value extends z.ZodType>(value: Value, message = 'The chart has no such section or zone.') {
  return z.preprocess(
    (body, { issues }) => {
      if (typeof body === 'object' && body !== null && Object.hasOwn(body, '__proto__')) {
        issues.push({ code: 'custom', input: body, path: ['__proto__'], message });
      }
      return body;
    },
    z.record(id, value),
  );
}
