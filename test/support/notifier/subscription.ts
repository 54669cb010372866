/** A stored webhook subscription: active, of live events, of the whole organisation. */
import type { KeptSub } from '../../../services/catalog/src/store/rules/webhook-records.ts';

export const keptSub: KeptSub = {
  id: 'whk_1',
  url: 'https://shop.example/hooks',
  events: ['seat.booked'],
  disabled: false,
  pausedReason: null,
  createdAt: 1,
  mode: 'live',
  environment: null,
  workspaceId: null,
  createdBy: 'usr_1',
};
