/**
 * The operator's word to the owner of a partition, on the subject `accept.<partition>` (I9): go on without lost
 * records. The owner answers with news, the last of which is `accepted`, `opened` or `refused`. The first comes at
 * once: a caller without it has found no owner.
 */

/**
 * `above`: the highest sequence that anybody outside the shards has seen. `givesUp`: the event also goes on without the
 * parts behind a gap, which the journal has.
 */
export type LossToAccept = { eventKey: string; reason: string; above: number; givesUp: boolean };

/**
 * The event goes on with the records that other evidence still has. `isDryRun`: the owner tells what it would write.
 */
export type LossToRestore = LossToAccept & { isDryRun: boolean };

/** A seat that evidence proves sold, and that is not restored: somebody else has it. `is` says who, or why not. */
export type SeatConflict = { label: string; bookingRef: string; is: string };

/**
 * `version`: the event's new one, 0 in a dry run. `parts`: the lost parts that are restored as they were. `bookings`:
 * the `seats`, by booking, that the journal did not have as sold. They and the conflicts are cut at
 * `restoredSeatsTold`.
 */
export type RestoredLoss = {
  version: number;
  parts: number;
  lostTo: number;
  passedOver: number;
  seats: number;
  bookings: { bookingRef: string; labels: string[] }[];
  conflicts: SeatConflict[];
  fillers: number;
};

/** A partition whose stream is missing or another: its events are accepted afterwards, one by one. */
export type StreamToAccept = { eventKey: null; reason: string; above: number };

/**
 * `version`: the event's new one, 0 for an event that its next `create` makes anew. `passedOver`: the parts behind the
 * gap, which the event goes on without.
 */
export type AcceptedLoss = { version: number; lostFrom: number; lostTo: number; passedOver: number; fillers: number };

export type AcceptanceNews =
  | { filled: number; of: number }
  | { accepted: AcceptedLoss }
  | { restored: RestoredLoss }
  | { opened: { fillers: number; last: number } }
  | { refused: string };
