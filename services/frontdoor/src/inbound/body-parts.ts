/** What bodies of several rooms have in common. Unknown fields are ignored (wire contract 1). */
import { idLengthMax, unitLabelLengthMax } from '@parterre/shared/limits';
import { z } from 'zod';

export const optional = z.exactOptional;
export const id = z.string().min(1).max(idLengthMax);
export const unitLabel = z.string().min(1).max(unitLabelLengthMax);
export const epochMs = z.int().min(0);
export const reason = z.string().min(1).max(500);
export const externalRef = z.string().max(128);
export const name = z.string().trim().min(1).max(200);
export const mode = z.enum(['live', 'test']);
export const currency = z.string().regex(/^[A-Z]{3}$/, 'A three-letter currency code.');
export const emptyBody = z.object({});
