/** Seats that are assigned to channels, and callers who reach them, for tests of the inventory's rules. */
import type { Caller, ChannelDraft } from '@parterre/shared/protocol/commands';
import type { Reach } from '@parterre/shared/protocol/records';
import { assign, create, turn } from './channels.ts';
import { house } from './house.ts';

type House = ReturnType<typeof house>;

/** Creates a channel and assigns it these labels. */
export function allocate(event: House, id: string, labels: string[], more: Partial<ChannelDraft> = {}): void {
  event.ok(create(id, more));
  reassign(event, id, ...labels);
}

/** `id` null assigns the labels to public sale. */
export function reassign(event: House, id: string | null, ...labels: string[]): void {
  event.ok(assign(id, event.state.channels.version, ...labels));
}

/** Places of the small chart's area. */
export function placesFrom(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `__sl_ga__ga__${first + i}`);
}

export function within(channelIds: string[], includePublic = true): Reach {
  return { channelIds, includePublic };
}

/** A browser whose access session has this reach. */
export function buyerOf(reach: Reach, more: Partial<Caller> = {}): Caller {
  return { source: 'buyer', actor: 'bse_1', accessSource: 'partner', reach, ...more };
}

/** A server that names channels. */
export function serverOf(...channelIds: string[]): Caller {
  return { source: 'server', actor: 'key_1', accessSource: 'promoter', reach: within(channelIds) };
}

export const overriding: Caller = {
  source: 'server',
  actor: 'key_1',
  accessSource: 'staff_override',
  override: { reason: 'a guest of the house' },
};

/**
 * and the first four places belong to channel "partner". belong to "club", which is paused.
 * Every other unit is of public sale, A-7 and A-8 among them.
 */
export function sharedHouse(ownership: 'platform' | 'managed' = 'platform') {
  const event = house(ownership);
  allocate(event, 'partner', ['A-1', 'A-2', 'A-3', 'A-4', ...placesFrom(1, 4)]);
  allocate(event, 'club', ['A-5', 'A-6']);
  event.ok(turn('club', 'paused'));
  return event;
}

export const partnerOnly = buyerOf(within(['partner'], false));
