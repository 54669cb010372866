/** The catalog's projections of the journal, as an operator looks after them. */

/** How far one partition's journal is counted, as sequences of its stream. */
export type ProjectionProgress = { stream: string; counted: number; rebuilt: number | null };

export type ProjectionState = {
  /** Which generation is read; it grows by one with each rebuild. */
  generation: number;
  /** The one that is being built beside it, which takes its place when it has counted as far. */
  building: number | null;
  /** Of the partitions of which anything was counted. */
  partitions: ProjectionProgress[];
};

/** operation → [input, output] */
export type ProjectionOperations = {
  /** Builds all projections anew from sequence 1, while the present ones serve. Asked again meanwhile it begins no other. */
  'projections.rebuild': [Record<string, never>, ProjectionState];
  'projections.state': [Record<string, never>, ProjectionState];
};
