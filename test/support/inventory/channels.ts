/** Commands about channels, for tests of the inventory's rules. */
import type { ChannelDraft, Command } from '@parterre/shared/protocol/commands';
import { callId, house } from './house.ts';

export const draft = (id: string, more: Partial<ChannelDraft> = {}): ChannelDraft => ({
  id,
  name: `Channel ${id}`,
  color: null,
  marker: null,
  externalRef: null,
  accessIntent: 'none',
  priceOverrides: [],
  ...more,
});
export const create = (id: string, more: Partial<ChannelDraft> = {}): Command & { type: 'create-channel' } => ({
  type: 'create-channel',
  callId: callId(),
  channel: draft(id, more),
  reason: null,
});
type Change = Command & { type: 'change-channel' };
export const change = (channelId: string, changed: Change['change'], more: Partial<Change> = {}): Change => ({
  type: 'change-channel',
  callId: callId(),
  channelId,
  change: changed,
  reason: null,
  ...more,
});
export const turn = (channelId: string, state: 'active' | 'paused'): Command & { type: 'set-channel-state' } => ({
  type: 'set-channel-state',
  callId: callId(),
  channelId,
  state,
  reason: null,
});
export const assign = (channelId: string | null, assignmentVersion: number, ...labels: string[]) =>
  ({ type: 'assign-channel', callId: callId(), channelId, labels, assignmentVersion, reason: null }) as const;
export const archive = (channelId: string, destination: string | null): Command & { type: 'archive-channel' } => ({
  type: 'archive-channel',
  callId: callId(),
  channelId,
  destination,
  reason: null,
});
export const readChannels = { type: 'channels' } as const;
export const places = (...numbers: number[]): string[] => numbers.map((number) => `__sl_ga__ga__${number}`);

/** A house with these channels. No unit is assigned to them. */
export function houseWith(...ids: string[]) {
  const event = house();
  for (const id of ids) event.ok(create(id));
  return event;
}

const noLabels = { count: 0, labels: [], truncated: false };
/** The empty buckets of an assignment's answer. Each test replaces the buckets that it is about. */
export const noBuckets = {
  changedFromPublic: { count: 0 },
  movedFromOtherChannel: { count: 0, channels: [] },
  alreadyInTarget: { count: 0 },
  skippedHeld: noLabels,
  skippedBooked: noLabels,
  notFound: noLabels,
};
