/** German of seasons and groups. */
import type { english } from '../english/seasons.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {};
