/** English of the control room. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
