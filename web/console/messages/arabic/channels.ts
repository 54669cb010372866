/** Arabic of channels. */
import type { english } from '../english/channels.ts';
import type { In } from '../translation.ts';

export const arabic: In<typeof english> = {};
