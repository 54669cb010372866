/** Calls about ticket releases, as the tests of the rules make them. */
import type { Command, ReleaseDraft } from '@parterre/shared/protocol/commands';
import { callId, type house } from './house.ts';

type House = ReturnType<typeof house>;

export const draft = (id: string, more: Partial<ReleaseDraft> = {}): ReleaseDraft => ({
  id,
  isNew: true,
  name: `Release ${id}`,
  price: 25,
  previousPrice: null,
  quota: null,
  startsAt: null,
  endsAt: null,
  categoryKey: null,
  action: 'buy',
  actionUrl: null,
  ...more,
});
export const set = (...releases: ReleaseDraft[]): Command & { type: 'set-releases' } => ({
  type: 'set-releases',
  callId: callId(),
  releases,
});
export const close = (releaseId: string): Command & { type: 'close-release' } => ({
  type: 'close-release',
  callId: callId(),
  releaseId,
});
export const updateTo = (planHash: string): Command => ({
  type: 'update-chart',
  acknowledgeMoved: true,
  reason: 'A new chart',
  callId: callId(),
  planHash,
  chartVersion: 2,
});

export const listOf = (event: House) => event.ok({ type: 'releases' }).releases;
export const useOf = (event: House) => Object.fromEntries(listOf(event).map(({ id, consumed }) => [id, consumed]));
export const pricesOf = (event: House, command: Command & { type: 'hold' }) =>
  event.ok(command).items.map(({ label, unitPrice, releaseId }) => [label, unitPrice, releaseId]);
/** The draft of a ticket release that the event has. */
export const kept = (id: string, more: Partial<ReleaseDraft> = {}) => draft(id, { isNew: false, ...more });
