/**
 * Loss that the journal itself cannot show (I9). Evidence is something that knew more of an event than the journal has:
 * a snapshot, the memory of an owner, or the catalog. Evidence names one of the event's parts by sequence and link. The
 * journal has that part, or it has lost records.
 *
 * An event with such evidence is not served from the shorter journal: that would sell its seats again. Evidence of an
 * owner's memory is kept here until the operator decides, and in the object store by the snapshots.
 */
import { Fault } from '@parterre/shared/protocol/errors';
import { type Link, textOfLink } from '@parterre/shared/protocol/journal/links';

/**
 * `link`: the event's link behind its part at `sequence`. `end`: the server counts messages of the event up to
 * `sequence`, and cannot read the last one. `restoration`: parts are left to write behind the lost part at `sequence`.
 */
export type Evidence = {
  source: 'snapshot' | 'memory' | 'catalog' | 'chain' | 'end' | 'restoration';
  sequence: number;
  link: Link;
};

/** The journal has lost records of an event. */
export class LostRecords extends Fault {
  readonly evidence: Evidence;

  constructor(eventKey: string, evidence: Evidence) {
    super(whyLost(eventKey, evidence));
    this.evidence = evidence;
  }
}

function whyLost(eventKey: string, { source, sequence, link }: Evidence): string {
  switch (source) {
    case 'chain':
      return `replay ${eventKey}: the part at ${sequence} does not follow the part before it`;
    case 'end':
      return `load ${eventKey}: its last message, at ${sequence} or before, cannot be read`;
    case 'restoration':
      return `replay ${eventKey}: its restoration stopped behind the lost part ${sequence}`;
    default: {
      const witness = source === 'catalog' ? 'the catalog' : `its ${source}`;
      return `load ${eventKey}: ${witness} knows a part at ${sequence} (${textOfLink(link)}) that the journal lacks`;
    }
  }
}

/** What owners in this process remembered of events when the journal lost their parts, by event. */
export class Remembered {
  readonly #evidence = new Map<string, Evidence>();
  readonly #short = new Set<number>();

  get size(): number {
    return this.#evidence.size;
  }

  of(eventKey: string): Evidence | undefined {
    return this.#evidence.get(eventKey);
  }

  /** The newest evidence of an event stays. */
  note(eventKey: string, evidence: Evidence): void {
    const known = this.#evidence.get(eventKey);
    if (!known || known.sequence < evidence.sequence) this.#evidence.set(eventKey, evidence);
  }

  /** The partition's stream lacks messages that somebody knew. */
  noteShort(partition: number): void {
    this.#short.add(partition);
  }

  isShort(partition: number): boolean {
    return this.#short.has(partition);
  }

  forget(eventKey: string): void {
    this.#evidence.delete(eventKey);
  }
}
