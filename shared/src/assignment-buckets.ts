/** The result of an assignment of labels to a channel, as the journal keeps it and as the answer tells it. */

/** How many of the labels named went where, and what did not. */
export type AssignmentBuckets = {
  changedFromPublic: { count: number };
  movedFromOtherChannel: { count: number; channels: { channelId: string; name: string; count: number }[] };
  alreadyInTarget: { count: number };
  skippedHeld: LabelBucket;
  skippedBooked: LabelBucket;
  notFound: LabelBucket;
};

/** At most `bucketLabelsMax` labels; `truncated` where there are more. */
export type LabelBucket = { count: number; labels: string[]; truncated: boolean };
