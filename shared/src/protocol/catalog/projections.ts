/** The catalog's projections of the journal, for operators. */

/**
 * The progress in one partition's journal, as sequences of its stream. `halted`: the journal lacks records that were
 * counted (I9), so it is counted no further. A rebuild counts the journal that is there.
 */
export type ProjectionProgress = {
  stream: string;
  counted: number;
  rebuilt: number | null;
  halted: boolean;
  /** Messages that are not counted yet. Null where NATS does not tell. */
  behind: number | null;
  /** The time of the oldest of them (epoch ms). Null without any, and where NATS does not tell. */
  oldestAt: number | null;
};

/** The last counted message of a stream: its sequence, and its link as text. */
export type CountedPosition = { seq: number; link: string };

export type ProjectionState = {
  /** The generation that reads use; it grows by one with each rebuild. */
  generation: number;
  /** The generation under construction, which takes over when it has caught up. */
  building: number | null;
  /** Only partitions with counted groups. */
  partitions: ProjectionProgress[];
};

/** operation → [input, output] */
export type ProjectionOperations = {
  /**
   * Builds all projections anew from sequence 1, while the present ones serve. A second call meanwhile starts nothing.
   */
  'projections.rebuild': [Record<string, never>, ProjectionState];
  'projections.state': [Record<string, never>, ProjectionState];
  /** For shards: what the catalog knows of a stream's history. Null where it has counted nothing of the stream. */
  'projections.position': [{ stream: string }, CountedPosition | null];
  /**
   * The keys of the events that the catalog has counted in a stream, in order. `after` is the last key of the page
   * before.
   */
  'projections.events': [{ stream: string; after: string | null }, { eventKeys: string[]; isCut: boolean }];
};
