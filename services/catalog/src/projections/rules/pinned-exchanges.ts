/**
 * Exchanges over two events, as the event that gives units up shows them: one document for each try. A pin is open
 * until its units are given or free again. operations/pinned-exchanges.ts looks for open pins.
 */
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { PinnedExchangeProjection } from '../../store/rules/records.ts';
import { type Counted, noParts, type View } from './views.ts';

type PinPart = { seq: number; at: number; eventKey: string; pinId: string; pinned: Pinned | null };
type Pinned = JournalRecord & { type: 'exchange-pinned' };

export const pinnedExchangeView: View<PinnedExchangeProjection, PinPart> = {
  /** The last record of a try in the group says whether its pin stands. */
  split({ seq, eventKey, group }: Counted) {
    let parts: Map<string, PinPart> | null = null;
    for (const record of group.records) {
      const pinId = tryOf(record);
      if (pinId === null) continue;
      parts ??= new Map();
      const pinned = record.type === 'exchange-pinned' ? record : null;
      parts.set(`${eventKey}/${pinId}`, { seq, at: group.at, eventKey, pinId, pinned });
    }
    return parts ?? noParts;
  },
  begins: ({ pinned }) => pinned !== null,
  count(before, parts) {
    const { seq, at, eventKey, pinId, pinned } = parts.at(-1)!;
    const { exchangeId = '', toEventKey = '' } = parts.findLast((part) => part.pinned)?.pinned ?? before ?? {};
    return { eventKey, seq, pinId, exchangeId, toEventKey, changedAt: at, open: pinned ? true : null };
  },
};

/** The try that this event's record begins or ends. */
function tryOf(record: JournalRecord): string | null {
  switch (record.type) {
    case 'exchange-pinned':
    case 'exchange-unpinned':
      return record.pinId;
    case 'exchanged-with':
      return record.other?.side === 'to' ? record.callId : null;
    default:
      return null;
  }
}
