/** The event of the benchmarks of the actor. */
import type { EventConfig } from '@parterre/shared/protocol/records';

export function benchEvent(planHash: string): EventConfig {
  return {
    eventId: 'evt_bench',
    eventKey: 'gala',
    organisationId: 'org_bench',
    workspaceId: 'ws_bench',
    mode: 'test',
    ownership: 'platform',
    externalRef: null,
    currency: 'EUR',
    planHash,
    holdTtlMs: null,
  };
}
