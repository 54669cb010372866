/** English of sales at the counter. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
