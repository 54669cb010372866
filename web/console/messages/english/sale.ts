/** English of releases and the settings of a sale. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
