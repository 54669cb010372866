/** Arabic of charts. */
import type { english } from '../english/charts.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
