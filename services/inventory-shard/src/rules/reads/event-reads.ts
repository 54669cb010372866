/**
 * The reads of an event whose answers follow from the state and the read alone, not from the time or the caller.
 * Callers of one version share an answer. The work of a large read grows with the units of the event: a large read can
 * be answered from a captured state, in another thread.
 */

import type { Answers } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { markOf } from '@parterre/shared/protocol/held-until';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { saleSettingsIn } from '@parterre/shared/protocol/sale-times';
import { inForce } from '../availability/availability.ts';
import { allocationOf } from '../channels/channel-reads.ts';
import { channelReads } from '../channels/channels.ts';
import { countsOf, heldLines, offeredAmong, type ReadState, type Reads, unitsOfLines } from '../state/state.ts';
import { report } from './report.ts';
import { unitColumns } from './unit-columns.ts';

export const eventReads: Reads<'count' | 'view' | 'report' | 'unit-columns'> = {
  count: eventCount,
  view,
  report,
  'unit-columns': (state, { from, most }) => unitColumns(state, from, most),
};

/** The counts of an event, with the settings that callers need beside them. */
function eventCount(state: ReadState): Answers['count'] {
  const { holdTtlMs, status, salesPaused, sectionStates, config, version } = state;
  const { planHash, chartId, chartVersion = null, selectionRules, publicSale } = config;
  const saleSettings = saleSettingsIn(config);
  const ruledScopes = Object.keys(state.availability.rules);
  return {
    ...(state.channels.assigned > 0 && { privateUnits: state.channels.assigned }),
    ...(ruledScopes.length > 0 && { ruledScopes }),
    ...(selectionRules && { selectionRules }),
    ...(publicSale && { publicSale }),
    ...(saleSettings && { saleSettings }),
    ...(chartId !== undefined && { chartId }),
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

/** The whole map of an event, as the front door keeps it. */
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
    bookedValue: state.bookedValue,
    ...(state.config.priceUnit && { priceUnit: state.config.priceUnit }),
    heldUntil: Array.from(state.holds.active.values(), (hold) => ({
      expiresAt: hold.expiresAt,
      units: unitsOfLines(heldLines(state, hold)),
      mark: markOf(hold.id),
    })),
  };
}

type LargeReadType = 'view' | 'report' | 'unit-columns' | 'channels' | 'channel-report';

type VersionedReadType = 'count' | 'channel-states';

export type LargeRead = Command & { type: LargeReadType };

export type EventRead = Command & { type: LargeReadType | VersionedReadType };

const large: Reads<LargeReadType> = {
  view,
  report,
  'unit-columns': eventReads['unit-columns'],
  channels: channelReads.channels,
  'channel-report': channelReads['channel-report'],
};

const versioned: Reads<VersionedReadType> = {
  count: eventCount,
  'channel-states': channelReads['channel-states'],
};

export function isLargeRead(command: Command): command is LargeRead {
  return command.type in large;
}

/** A small read whose answer names the version of the state that it shows. */
export function isVersionedRead(command: Command): command is EventRead {
  return command.type in versioned;
}

type AnyRead = (state: ReadState, read: EventRead, now: number) => Answers[EventRead['type']];

/** Throws only if a rule has a bug. */
export function answerRead(state: ReadState, read: EventRead): Answers[EventRead['type']] {
  const table = (isLargeRead(read) ? large : versioned) as unknown as Record<string, AnyRead>;
  return table[read.type]!(state, read, state.at);
}

/** Reads with the same key have the same answer from a state. */
export function keyOfRead(read: EventRead): string {
  return JSON.stringify(read);
}
