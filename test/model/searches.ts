/**
 * The searches of the models (docs/model): the right protocol in small worlds, and the wrong variants, each of which
 * must fail. A wrong variant runs in a world in which the right protocol passes.
 */

export type Flags = Record<string, number>;

export type Search = {
  name: string;
  /** In docs/model. */
  file: 'journal.pml' | 'anchors.pml' | 'snapshots.pml' | 'links.pml' | 'operations.pml' | 'exchanges.pml';
  /** `-D` flags of the model. */
  flags: Flags;
  isRight: boolean;
};

const right = (name: string, file: Search['file'], flags: Flags): Search => ({ name, file, flags, isRight: true });

/** The variant's name is its flag. */
const wrong = (variant: string, file: Search['file'], flags: Flags = {}): Search => ({
  name: variant,
  file,
  flags: { ...flags, [variant]: 1 },
  isRight: false,
});

const windowOfThree = { WINDOW: 3, COMMITS: 4, FENCES: 3 };
const reads = { TICKS: 3, COMMITS: 2 };
/** One process ends, and the others know it. */
const ends = { ENDS: 1, OWNERS: 3, TICKS: 2, COMMITS: 2 };

/** Under a minute on two cores. */
export const searches: readonly Search[] = [
  right('reads', 'journal.pml', reads),
  right('ends of processes', 'journal.pml', ends),
  right('three owners', 'journal.pml', { OWNERS: 3, FENCES: 3 }),
  right('four fences', 'journal.pml', { FENCES: 4 }),
  right('a window of three', 'journal.pml', windowOfThree),
  right('a window of four', 'journal.pml', { WINDOW: 4, FENCES: 3 }),
  right('anchors', 'anchors.pml', {}),
  right('snapshots', 'snapshots.pml', {}),
  right('a log that lies', 'links.pml', {}),
  right('operations', 'operations.pml', { HOLDS: 1, EVENTS: 2 }),
  right('an exchange over two events', 'exchanges.pml', {}),
  wrong('FENCE_OF_ONE', 'journal.pml', { FENCES: 3 }),
  wrong('FENCE_AT_ONCE', 'journal.pml', windowOfThree),
  wrong('FENCE_WITHOUT_IDS', 'journal.pml', { FENCES: 3 }),
  wrong('EXPECTATION_PER_SUBJECT', 'journal.pml', { FENCES: 3 }),
  wrong('OUTCOME_BEFORE_FENCE', 'journal.pml', { FENCES: 3 }),
  wrong('SPLIT_COMMIT', 'journal.pml', { FENCES: 3 }),
  wrong('UNDO_ONE_EVENT', 'journal.pml', { FENCES: 3 }),
  wrong('LOAD_OWN_SUBJECT', 'journal.pml', { FENCES: 3 }),
  wrong('LEASE_IGNORED', 'journal.pml', reads),
  wrong('LEASE_FROM_ACK', 'journal.pml', reads),
  wrong('NO_QUIET', 'journal.pml', reads),
  wrong('QUIET_AS_LEASE', 'journal.pml', reads),
  wrong('QUIET_FROM_TAIL', 'journal.pml', reads),
  wrong('READS_DO_NOT_WAIT', 'journal.pml', reads),
  wrong('QUIET_FORGOTTEN', 'journal.pml', { ...reads, FENCES: 3 }),
  wrong('RELEASES_IN_QUIET', 'journal.pml', { ...reads, OWNERS: 3, FENCES: 3 }),
  wrong('ENDED_BEHIND_RECORD', 'journal.pml', { ...ends, FENCES: 3 }),
  wrong('ENDED_ANOTHER', 'journal.pml', ends),
  wrong('SERVES_AFTER_RELEASE', 'journal.pml', reads),
  wrong('INDEX_FROM_FENCE', 'anchors.pml'),
  wrong('INDEX_BEFORE_ACK', 'anchors.pml'),
  wrong('MARK_OF_OWN_TERM', 'anchors.pml'),
  wrong('FENCE_RAISES_MARK', 'anchors.pml'),
  wrong('ANCHOR_BEFORE_ACK', 'anchors.pml'),
  wrong('ANCHOR_BESIDE_LOAD', 'anchors.pml'),
  wrong('ANCHOR_COVERS_LATER', 'anchors.pml'),
  wrong('ANCHOR_COVERS_COMMIT', 'anchors.pml'),
  wrong('ANCHOR_KEEPS_VERSION', 'anchors.pml'),
  wrong('LOADS_DO_NOT_WAIT', 'anchors.pml'),
  wrong('LOAD_WITHOUT_CHAIN', 'anchors.pml'),
  wrong('INDEX_AS_LIST', 'anchors.pml'),
  wrong('PREPARED_IS_CURRENT', 'anchors.pml'),
  wrong('BLIND_OVERWRITE', 'snapshots.pml'),
  wrong('SNAPSHOT_BY_SEQUENCE', 'links.pml'),
  wrong('MEMORY_UNCOMPARED', 'links.pml'),
  wrong('RELOAD_FORGETS', 'links.pml'),
  wrong('FENCE_UNCHECKED', 'links.pml'),
  wrong('NO_IDENTITY', 'links.pml'),
  wrong('NO_QUESTION', 'links.pml'),
  wrong('FOLD_WITHOUT_CHAIN', 'links.pml'),
  wrong('HOME_FIRST', 'operations.pml', { EVENTS: 2 }),
  wrong('ABORT_WITHOUT_RECORD', 'operations.pml', { EVENTS: 2 }),
  wrong('REFUSAL_WITHOUT_RECORD', 'operations.pml', { EVENTS: 2 }),
  wrong('PIN_OF_SOME', 'operations.pml', { EVENTS: 2 }),
  wrong('REFUSAL_WITHOUT_RECORD', 'exchanges.pml'),
];

/** Minutes, and some gigabytes of memory. */
export const wideSearches: readonly Search[] = [
  right('reads for longer', 'journal.pml', { TICKS: 5, COMMITS: 2 }),
  right('reads and three commits', 'journal.pml', { TICKS: 3, COMMITS: 3 }),
  right('ends of processes, three fences', 'journal.pml', { ...ends, FENCES: 3, COMMITS: 1 }),
  right('three owners, a window of three', 'journal.pml', { OWNERS: 3, ...windowOfThree }),
  right('five commits', 'journal.pml', { ...windowOfThree, COMMITS: 5 }),
  right('five fences', 'journal.pml', { FENCES: 5 }),
  right('anchors, three owners', 'anchors.pml', { OWNERS: 3, COMMITS: 2, FENCES: 3 }),
  right('anchors, four commits', 'anchors.pml', { COMMITS: 4 }),
  right('anchors, three fences', 'anchors.pml', { FENCES: 3 }),
  right('operations, two copies of a hold', 'operations.pml', { EVENTS: 2 }),
  right('operations over three events', 'operations.pml', { HOLDS: 1 }),
  right('a log that lies to two owners', 'links.pml', { OWNERS: 2 }),
  right('a log that lies, four fences', 'links.pml', { TAKES: 4 }),
  right('four owners of snapshots', 'snapshots.pml', { OWNERS: 4 }),
];
