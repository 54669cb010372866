/** German of keys, people, webhooks and the deployment. */
import type { english } from '../english/house.ts';
import type { In } from '../translation.ts';

export const german: In<typeof english> = {};
