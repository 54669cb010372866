/** German of bookings. */
import type { english } from '../english/bookings.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {};
