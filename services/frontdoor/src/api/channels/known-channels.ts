/** Checks the channels that a call names. The event's actor knows the channels of the event. */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { ask, type EventCall } from '../calls/calls.ts';

/**
 * Refused if a channel is unknown to the event or archived. Otherwise the event's version at the time of the check; 0
 * if there was nothing to check.
 */
export async function checkChannels(call: EventCall, channelIds: readonly string[]): Promise<Outcome<number>> {
  if (channelIds.length === 0) return done(0);
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  const open = new Set(answer.value.channels.filter(({ state }) => state !== 'archived').map(({ id }) => id));
  const foreign = channelIds.filter((id) => !open.has(id));
  return foreign.length === 0 ? done(answer.value.version) : notInScope(foreign);
}

/** Checks the channel of the path in the same way, but an unknown channel is `not_found`. */
export async function checkChannelOfPath(
  call: EventCall,
  channelId: string,
  mayBeArchived = false,
): Promise<Outcome<number>> {
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  const { channels, version } = answer.value;
  const channel = channels.find(({ id }) => id === channelId);
  if (!channel) return refuse('not_found', 'This event has no such channel. GET its channels to read their ids.');
  return channel.state === 'archived' && !mayBeArchived ? notInScope([channelId]) : done(version);
}

function notInScope(channelIds: string[]): Outcome<never> {
  return refuse(
    'invalid_channel_scope',
    'The event has no such channels, or they are archived. Name channels of the event that are not archived.',
    {
      details: { channelIds },
    },
  );
}
