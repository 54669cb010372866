/** English of seasons and groups. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
