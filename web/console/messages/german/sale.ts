/** German of releases and the settings of a sale. */
import type { english } from '../english/sale.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {};
