/** Arabic of seasons and groups. */
import type { english } from '../english/seasons.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
