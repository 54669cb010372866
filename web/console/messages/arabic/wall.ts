/** Arabic of the control room. */
import type { english } from '../english/wall.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
