/**
 * Access to a channel: the latest mint, its links, and their end when the channel is archived. The inventory decides
 * which channels exist. The catalog knows a channel once somebody got access to it.
 *
 * An archived channel ends its links first, then its sessions. A session that is being opened meanwhile finds its link
 * ended. A session that a server mints meanwhile stays valid, but its channel sells nothing any more.
 */
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { accessLinksPerChannelMax, channelsPerEventMax } from '@parterre/shared/protocol/limits';
import { findEvent } from '../events/event-access.ts';
import { accessLinks, channelMints, embeddedSessions } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { mintTimeMs } from '../store/rules/bounds.ts';
import type { EmbeddedSessionRecord } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { endAll } from './embedded-sessions.ts';
import { ended, linkStatus } from './rules/link-states.ts';
import { channelGround, withoutChannel } from './rules/session-states.ts';

type ChannelAccessOperation = 'channel-access.summary' | 'channel-access.revoke';

export function createChannelAccessOperations(ports: Ports): OperationTable<ChannelAccessOperation> {
  const { store, clock } = ports;
  return {
    async 'channel-access.summary'({ eventKey }) {
      const query = { index: 'byEvent', equal: [eventKey], limit: channelsPerEventMax };
      const { documents } = await store.page(channelMints, query);
      const now = clock.now();
      const channels = documents.map(async ({ value: { channelId, lastMintAt } }) => {
        const hasActiveGrants = await isReached(store, eventKey, channelId, now);
        return [channelId, { hasActiveGrants, lastMintAt }] as const;
      });
      return done({ channels: Object.fromEntries(await Promise.all(channels)) });
    },

    async 'channel-access.revoke'({ scope, eventKey, channelId }) {
      const event = await findEvent(store, scope, eventKey);
      if (!event.ok) return event;
      for (const { id } of await linksOf(store, eventKey, channelId)) {
        const written = await change(store, accessLinks, id, noLink, (link) =>
          done(ended(link, { state: 'revoked', sessionsEnded: true }, clock.now())),
        );
        // A missing link had ended earlier and made room for another.
        if (!written.ok && written.refusal.code !== 'not_found') return written;
      }
      const now = clock.now();
      const shrink = (session: EmbeddedSessionRecord) => withoutChannel(session, eventKey, channelId, now);
      const revokedSessions = await endAll(ports, channelGround(eventKey, channelId), shrink, [eventKey]);
      return done({ revokedSessions });
    },
  };
}

export function noLink(): Outcome<never> {
  return refuse('not_found', 'There is no such access link. GET the links of the channel to read their ids.');
}

/** Runs before the minted access is valid, so that the summary leaves no access out. */
export async function noteMint(
  store: Store,
  eventKey: string,
  channelIds: readonly string[],
  now: number,
): Promise<void> {
  for (const channelId of channelIds) {
    const id = channelGround(eventKey, channelId);
    const mints = { eventKey, channelId, lastMintAt: now };
    const found = await store.get(channelMints, id);
    if (!found) await store.insert(channelMints, id, mints);
    // A writer that comes in between has minted just now.
    else if (found.value.lastMintAt + mintTimeMs <= now) await store.replace(channelMints, id, found.version, mints);
  }
}

/** Newest first. */
export async function linksOf(store: Store, eventKey: string, channelId: string) {
  const found = { index: 'byChannel', equal: [eventKey, channelId], descending: true };
  return (await store.page(accessLinks, { ...found, limit: accessLinksPerChannelMax })).documents;
}

async function isReached(store: Store, eventKey: string, channelId: string, now: number): Promise<boolean> {
  const latest = { index: 'byGround', equal: [channelGround(eventKey, channelId)], descending: true, limit: 1 };
  const { documents } = await store.page(embeddedSessions, latest);
  if (documents.some(({ value }) => value.expiresAt > now)) return true;
  const links = await linksOf(store, eventKey, channelId);
  return links.some(({ value }) => linkStatus(value, now) === 'active');
}
