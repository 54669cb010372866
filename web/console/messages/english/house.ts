/** English of keys, people, webhooks and the deployment. */
import type { Messages } from '../translation.ts';

export const english = {} as const satisfies Messages;
