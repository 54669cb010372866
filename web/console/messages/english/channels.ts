/** English of channels. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
