/** The result of assigning labels to a channel. The journal keeps it, and the answer shows it. */

/** The number of units that moved, by the channel that had them, and the labels that did not move. */
export type AssignmentBuckets = {
  changedFromPublic: { count: number };
  movedFromOtherChannel: { count: number; channels: { channelId: string; name: string; count: number }[] };
  alreadyInTarget: { count: number };
  skippedHeld: LabelBucket;
  skippedBooked: LabelBucket;
  notFound: LabelBucket;
};

/** At most `bucketLabelsMax` labels; `truncated` is true when there are more. */
export type LabelBucket = { count: number; labels: string[]; truncated: boolean };
