/**
 * `POST …/channels/{id}/archive`: archives a channel, and ends all access to it.
 *
 * States of a call: archived and journaled by the event's actor, after which the channel sells nothing → its sessions
 * and links ended in the catalog, which closes their sockets → answered. If the first await fails, the channel may be
 * archived or not. If the second await fails, the channel is archived, and some of its sessions and links remain, but
 * reach nothing. Either way the caller gets 503, and a repetition does the rest: an archive to the same destination is
 * answered as done, and ending ended access changes nothing.
 */
import { done } from '@parterre/shared/errors';
import type { z } from 'zod';
import { type KnownEvent, scopeOf } from '../../admission/admission.ts';
import { type Answering, ask, type Call, newCallId } from '../calls/calls.ts';
import type { archiveChannelAnswer } from './answers.ts';
import type { channelArchiveBody } from './bodies.ts';

type ArchiveCall = Call<'console', z.output<typeof channelArchiveBody>, KnownEvent>;

export async function archiveChannel(call: ArchiveCall): Answering<typeof archiveChannelAnswer> {
  const { destination, reason = null } = call.body;
  const channelId = call.request.params[1]!;
  const archived = await ask(call, { type: 'archive-channel', callId: newCallId(), channelId, destination, reason });
  if (!archived.ok) return archived;
  const scope = scopeOf(call.principal);
  const eventKey = call.event.event.key;
  const revoked = await call.ports.catalog('channel-access.revoke', { scope, eventKey, channelId });
  if (!revoked.ok) return revoked;
  const { channel, assignmentVersion, moved } = archived.value;
  return done({ ok: true, channel, assignmentVersion, moved, revokedSessions: revoked.value.revokedSessions });
}
