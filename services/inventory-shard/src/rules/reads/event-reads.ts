/**
 * The reads of an event whose answers follow from the state and the read alone, not from the time or the caller.
 * Callers of one version share an answer. The work of a large read grows with the units of the event: a large read can
 * be answered from a captured state, in another thread.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { channelReads } from '../channels/channels.ts';
import type { ReadState, Reads } from '../state/state.ts';
import { eventCount } from './event-count.ts';
import { report } from './report.ts';
import { unitColumns } from './unit-columns.ts';
import { view } from './view.ts';

export const eventReads: Reads<'count' | 'view' | 'report' | 'unit-columns'> = {
  count: eventCount,
  view,
  report,
  'unit-columns': (state, { from, most }) => unitColumns(state, from, most),
};

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
