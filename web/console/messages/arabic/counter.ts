/** Arabic of sales at the counter. */
import type { english } from '../english/counter.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
