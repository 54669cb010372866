/** English of reports and the door list. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
