/** The operations of embedded sessions and access links, and the parts that they share. */
import { Fault } from '@parterre/shared/protocol/errors';
import { createGathering } from '@parterre/shared/runtime/gathering';
import { embeddedSessions } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import type { EmbeddedSessionRecord } from '../store/rules/records.ts';
import { createAccessLinkOperations } from './access-links.ts';
import { createBuyerSessionOperations } from './buyer-sessions.ts';
import { createChannelAccessOperations } from './channel-access.ts';
import { createDesignerSessionOperations } from './designer-sessions.ts';
import type { InsertSession } from './embedded-sessions.ts';
import { createManageSessionOperations } from './manage-sessions.ts';
import { createOwnerSessionOperations } from './owner-sessions.ts';

export function createAccessOperations(ports: Ports) {
  const gathered = createGathering((_key, sessions: { id: string; value: EmbeddedSessionRecord }[]) =>
    ports.store.writeMany(sessions.map((session) => ({ collection: embeddedSessions, version: null, ...session }))),
  );
  const insertSession: InsertSession = async (id, value) => {
    if ((await gathered('', { id, value })) !== 'inserted') throw new Fault(`store session ${id}: its id is taken`);
  };
  return {
    ...createBuyerSessionOperations(ports, insertSession),
    ...createOwnerSessionOperations(ports, insertSession),
    ...createAccessLinkOperations(ports, insertSession),
    ...createChannelAccessOperations(ports),
    ...createManageSessionOperations(ports),
    ...createDesignerSessionOperations(ports),
  };
}
