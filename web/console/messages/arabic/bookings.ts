/** Arabic of bookings. */
import type { english } from '../english/bookings.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
