/**
 * Opens the room of channels: named stocks of an event's units. Calls about a channel, assignments of units, reads, and
 * their folds.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import { finish } from '../packed/packed.ts';
import { answerNoted, type CallRule, type CallRules, type Reads, type Rule } from '../state/state.ts';
import { assignChannel } from './channel-assignments.ts';
import { archiveChannel, changeChannel, createChannel, setChannelState } from './channel-calls.ts';
import { firstChannelAnswer } from './channel-folds.ts';
import { channelAllocation, channelReport, channelStates, channels } from './channel-reads.ts';

export const channelReads: Reads<
  'channels' | 'channel-records' | 'channel-states' | 'channel-allocation' | 'channel-report'
> = {
  channels,
  'channel-records': (state) => ({ channels: [...state.channels.byId.values()] }),
  'channel-states': channelStates,
  'channel-allocation': channelAllocation,
  'channel-report': channelReport,
};

type ChannelCall = 'create-channel' | 'change-channel' | 'set-channel-state' | 'assign-channel' | 'archive-channel';

export const channelCalls: CallRules<ChannelCall> = {
  'create-channel': noted(createChannel),
  'change-channel': noted(changeChannel),
  'set-channel-state': noted(setChannelState),
  'assign-channel': noted((state, command, caller) => finish(assignChannel(state, command, caller))),
  'archive-channel': noted(archiveChannel),
};

/** Every call about a channel is noted with its answer. */
function noted<T extends ChannelCall>(decide: Rule<T>): CallRule<T> {
  return { decide, again: (state, call) => firstChannelAnswer(state, answerNoted(call) ?? {}) as Answers[T] };
}
