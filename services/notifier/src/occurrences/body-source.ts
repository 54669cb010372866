/**
 * Makes bodies again from their journal message, if they were too long for a queue or the history. A body is the same
 * byte for byte, as far as the journal has its data. A journal that lost the message may have another one at its place:
 * an occurrence of another id is not the one that was asked for.
 */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import type { OccurrencePlace } from '@parterre/shared/protocol/catalog/deliveries';
import { Fault } from '@parterre/shared/protocol/errors';
import { linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import { needsPlan, occurrenceAt } from '@parterre/shared/protocol/occurrences/occurrences';
import type { Directory } from '../catalog/directory.ts';
import type { StoredGroup } from './stored-group.ts';

export type BodySourcePorts = { storedGroup: StoredGroup; directory: Pick<Directory, 'event'>; plans: PlanSource };

/** Resolves with null where the journal or the catalog no longer has the data. Throws when either is away. */
export type BodyOf = (delivery: {
  place: OccurrencePlace;
  name: string;
  eventKey: string;
  occurrenceId: string;
}) => Promise<string | null>;

export function createBodySource({ storedGroup, directory, plans }: BodySourcePorts): BodyOf {
  return async ({ place, name, eventKey, occurrenceId }) => {
    // An occurrence of a season has no place in a journal.
    if (place.sequence === 0) return null;
    const event = await directory.event(eventKey);
    if (!event.ok) {
      if (event.refusal.code === 'not_found') return null;
      throw new Fault(`get event ${eventKey}: ${event.refusal.message}`);
    }
    const stored = await storedGroup(place, eventKey);
    if (stored === null) return null;
    const group = readGroup(stored.data);
    const plan = needsPlan([name]) ? await plans(group.plan) : null;
    const made = occurrenceAt({ group, link: linkAfter(stored.data) }, place, name, event.value, plan);
    return made?.id === occurrenceId ? made.body : null;
  };
}
