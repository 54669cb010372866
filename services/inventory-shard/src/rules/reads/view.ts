/** The whole map of an event, as the front door keeps it. */
import type { Answers } from '@parterre/shared/protocol/answers';
import { markOf } from '@parterre/shared/protocol/held-until';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { inForce } from '../availability/availability.ts';
import { allocationOf } from '../channels/channels.ts';
import { heldLines, offeredAmong, type ReadState, unitsOfLines } from '../state/state.ts';

export function view(state: ReadState): Answers['view'] {
  const offered = offeredAmong(state, state.listingOf.keys());
  const allocation = allocationOf(state);
  return {
    version: state.version,
    updatedAt: state.at,
    planHash: state.plan.hash,
    status: state.status,
    salesPaused: state.salesPaused,
    unitCount: state.plan.unitCount,
    statuses: packStatuses(state.statuses),
    ...(offered && { offered }),
    scopes: inForce(state),
    ...(allocation && { allocation }),
    activeHolds: state.holds.active.size,
    bookedValue: state.bookedValue,
    heldUntil: Array.from(state.holds.active.values(), (hold) => ({
      expiresAt: hold.expiresAt,
      units: unitsOfLines(heldLines(state, hold)),
      mark: markOf(hold.id),
    })),
  };
}
