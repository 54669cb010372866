/**
 * Makes bodies again from their journal message, if they were too long for a queue or the history. A body is the same
 * byte for byte, as far as the journal has its data.
 */
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import type { OccurrencePlace } from '@parterre/shared/catalog/deliveries';
import { Fault } from '@parterre/shared/errors';
import type { PlanSource } from '@parterre/shared/plans/plans';
import type { Group } from '@parterre/shared/records';
import { names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import type { Directory } from '../catalog/directory.ts';
import { needsPlan, occurrenceAt } from './rules/occurrences.ts';

const NO_MESSAGE = 10037;

export type BodySourcePorts = { manager: JetStreamManager; directory: Pick<Directory, 'event'>; plans: PlanSource };

/** Resolves with null where the journal or the catalog no longer has the data. Throws when either is away. */
export type BodyOf = (delivery: { place: OccurrencePlace; name: string; eventKey: string }) => Promise<string | null>;

export function createBodySource({ manager, directory, plans }: BodySourcePorts): BodyOf {
  return async ({ place, name, eventKey }) => {
    // Deliveries of earlier versions have no place.
    if (place.sequence === 0) return null;
    const event = await directory.event(eventKey);
    if (!event.ok) {
      if (event.refusal.code === 'not_found') return null;
      throw new Fault(`get event ${eventKey}: ${event.refusal.message}`);
    }
    const group = await groupAt(place.partition, place.sequence);
    if (group === null) return null;
    const plan = needsPlan([name]) ? await plans(group.plan) : null;
    return occurrenceAt(group, place, name, event.value, plan)?.body ?? null;
  };

  async function groupAt(partition: number, seq: number): Promise<Group | null> {
    try {
      const message = await manager.streams.getMessage(names.journalStream(partition), { seq });
      return message && decodeKept<Group>(message.data);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_MESSAGE) return null;
      throw error;
    }
  }
}
