/** Links for journals that a test writes by hand. */

import { type Link, linkBytes, linkOf } from '@parterre/shared/protocol/journal/links';
import { encodePart, linkAfter } from '@parterre/shared/protocol/journal/messages';
import type { Part } from '@parterre/shared/protocol/records';
import type { HistoryPosition } from '../../../services/inventory-shard/src/journal/journal.ts';

/** A link for messages and parts whose history no reader checks. */
export const noLink: Link = new Uint8Array(linkBytes);

/**
 * Encodes the parts of events in order, each with its own link, or with that of the event's part before it. A part of
 * version 0 begins the event's history anew.
 */
export function chainOfParts(): (part: Omit<Part, 'link'> & { link?: Link }) => Uint8Array {
  const links = new Map<string, Link>();
  return (part) => {
    const before = part.from === 0 ? undefined : links.get(part.event);
    const data = encodePart({ ...part, link: part.link ?? before ?? linkOf(part.event) });
    links.set(part.event, linkAfter(data));
    return data;
  };
}

async function fail(): Promise<never> {
  throw new Error('nothing is lost');
}

/** Parts of a loader whose events have lost nothing. */
export const noSalvage = { salvage: fail, lostHistory: fail };

/** A stream that the deployment knows by its identity, and of which the catalog has counted nothing. */
export const knownStream = {
  loss: async (): Promise<string | null> => null,
  isAnother: async () => false,
  counted: async (): Promise<HistoryPosition | null> => null,
  acceptedUpTo: async () => 0,
  noteShort: () => {},
};
