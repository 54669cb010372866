/** Opens the room of reads: the counts, the whole map, the report, every unit with its holder. Reads write nothing. */
import type { Answers } from '@parterre/shared/answers';
import { packStatuses } from '@parterre/shared/packed-statuses';
import { inForce } from '../availability/availability.ts';
import { allocationOf } from '../channels/channels.ts';
import { countsOf, offeredAmong, type ReadState, type Reads } from '../state/state.ts';
import { report } from './report.ts';
import { unitColumns } from './unit-columns.ts';

export const eventReads: Reads<'count' | 'view' | 'report' | 'unit-columns'> = {
  count: eventCount,
  view,
  report,
  'unit-columns': (state, { from, most }) => unitColumns(state, from, most),
};

function eventCount(state: ReadState): Answers['count'] {
  const { holdTtlMs, status, salesPaused, sectionStates, config, version } = state;
  const { planHash, chartVersion = null } = config;
  const ruledScopes = Object.keys(state.availability.rules);
  return {
    ...(state.channels.assigned > 0 && { privateUnits: state.channels.assigned }),
    ...(ruledScopes.length > 0 && { ruledScopes }),
    ...(state.plan.adjusted && { adjusted: true }),
    counts: countsOf(state),
    holdTtlMs,
    status,
    salesPaused,
    sectionStates,
    planHash,
    chartVersion,
    version,
  };
}

function view(state: ReadState): Answers['view'] {
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
  };
}
