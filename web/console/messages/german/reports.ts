/** German of reports and the door list. */
import type { english } from '../english/reports.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {};
