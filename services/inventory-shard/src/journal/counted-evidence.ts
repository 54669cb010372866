/**
 * The catalog's knowledge of a journal, as evidence (I9). An owner whose process died takes its memory with it, and
 * snapshots come late, so often nothing else knows of the last sales.
 *
 * - Of a stream: the last message that the catalog has counted, by sequence and link. A new owner asks behind its
 *   fence.
 * - Of an event: its parts, byte for byte. A load asks for the last one, and a restoration for all.
 *
 * Failure at the await: no catalog listens or answers → asked again for `countedAnswerMsMax`. Then a takeover and a
 * load go on without this evidence. A catalog that is down holds them up for so long, and the next loads for
 * `catalogSilenceMs` not at all; meanwhile commands wait. Events of a stream that is known to be short wait for the
 * catalog, and a restoration fails.
 */
import type { CountedPart } from '@parterre/shared/protocol/catalog/history';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { Fault } from '@parterre/shared/protocol/errors';
import { linkFromText } from '@parterre/shared/protocol/journal/links';
import { countedAnswerMsMax, retryPauseMs } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { HistoryPosition } from './appends.ts';
import { catalogSilenceMs } from './bounds.ts';

/** `silence`: until when (`Clock.elapsed`) loads ask no catalog. */
export type CountedPorts = { catalog: CatalogClient; clock: Clock; log: Logger; silence: { until: number } };

/** Null where the catalog has counted nothing of the partition's stream, or does not answer. Never rejects. */
export async function countedPosition(ports: CountedPorts, partition: number): Promise<HistoryPosition | null> {
  const stream = names.journalStream(partition);
  const answer = await ask(ports, 'projections.position', { stream });
  if (answer) return positionOf(answer.value);
  ports.log.warn(
    { stream },
    'the catalog does not tell what it has counted: the journal is served without this comparison',
  );
  return null;
}

/** The catalog's parts of events. */
export type CountedParts = {
  /**
   * The event's last counted part in the partition's stream; null without one. Throws a `Fault` when the catalog does
   * not answer.
   */
  last(eventKey: string, partition: number): Promise<CountedPart | null>;
  /** All counted parts there, in order. Throws likewise. */
  all(eventKey: string, partition: number): Promise<CountedPart[]>;
};

/** For journals without a catalog. */
export const nothingCounted: CountedParts = { last: async () => null, all: async () => [] };

export function countedParts(ports: CountedPorts): CountedParts {
  return {
    async last(eventKey, partition) {
      if (ports.clock.elapsed() < ports.silence.until) throw silent(eventKey);
      const answer = await ask(ports, 'history.last-part', { eventKey, stream: names.journalStream(partition) });
      if (answer) return answer.value;
      throw silent(eventKey);
    },
    async all(eventKey, partition) {
      const stream = names.journalStream(partition);
      const parts: CountedPart[] = [];
      for (;;) {
        const answer = await ask(ports, 'history.parts', { eventKey, stream, after: parts.at(-1)?.sequence ?? 0 });
        if (!answer) throw silent(eventKey);
        for (const part of answer.value.parts) parts.push(part);
        if (!answer.value.isCut) return parts;
      }
    },
  };
}

function silent(eventKey: string): Fault {
  return new Fault(`ask the catalog for the counted parts of ${eventKey}`);
}

/** Null without an answer, which begins a silence. */
async function ask<O extends 'projections.position' | 'history.last-part' | 'history.parts'>(
  { catalog, clock, silence }: CountedPorts,
  operation: O,
  input: CatalogInput<O>,
): Promise<{ value: CatalogOutput<O> } | null> {
  const endsAt = clock.elapsed() + countedAnswerMsMax;
  while (clock.elapsed() < endsAt) {
    const answer = await catalog(operation, input, endsAt);
    if (answer.ok) return answer;
    await pause(clock, retryPauseMs);
  }
  silence.until = clock.elapsed() + catalogSilenceMs;
  return null;
}

function positionOf(counted: { seq: number; link: string } | null): HistoryPosition | null {
  const link = counted && linkFromText(counted.link);
  return counted && link ? { sequence: counted.seq, link } : null;
}
