/** Channels that a call names: the event's actor says which there are. */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { KnownEvent } from '../events-cache.ts';
import { ask } from './ask.ts';
import type { Call } from './route.ts';

type EventCall = Call<'console', unknown, KnownEvent>;

/** Refused where the event has one of them not, or has archived it. Else the event's version when it was asked, 0 where there was nothing to ask. */
export async function checkChannels(call: EventCall, channelIds: readonly string[]): Promise<Outcome<number>> {
  if (channelIds.length === 0) return done(0);
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  const open = new Set(answer.value.channels.filter(({ state }) => state !== 'archived').map(({ id }) => id));
  const foreign = channelIds.filter((id) => !open.has(id));
  if (foreign.length === 0) return done(answer.value.version);
  return refuse('invalid_channel_scope', 'These are no channels of the event, or archived.', {
    details: { channelIds: foreign },
  });
}

/** Refused where the event never had it. */
export async function checkChannelExists(call: EventCall, channelId: string): Promise<Outcome<true>> {
  const answer = await ask(call, { type: 'channel-states' });
  if (!answer.ok) return answer;
  if (answer.value.channels.some(({ id }) => id === channelId)) return done(true);
  return refuse('not_found', 'This event has no such channel.');
}
