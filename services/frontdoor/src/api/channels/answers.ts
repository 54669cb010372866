/** Answers of changes of channels. */
import type { AssignmentBuckets, LabelBucket } from '@parterre/shared/assignment-buckets';
import { bucketLabelsMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { assignmentVersion, channel, count, ok, text, textOrNull } from '../records/records.ts';

const labelBucket = z.object({
  count,
  labels: z.array(text).max(bucketLabelsMax),
  truncated: z.boolean().describe('True if there are more labels than are listed.'),
}) satisfies z.ZodType<LabelBucket>;

const buckets = z.object({
  changedFromPublic: z.object({ count }),
  movedFromOtherChannel: z.object({
    count,
    channels: z.array(z.object({ channelId: text, name: text, count })),
  }),
  alreadyInTarget: z.object({ count }),
  skippedHeld: labelBucket.describe('Held seats. They stay in their channel.'),
  skippedBooked: labelBucket.describe('Sold seats. They stay in their channel.'),
  notFound: labelBucket,
}) satisfies z.ZodType<AssignmentBuckets>;

export const createChannelAnswer = z.object({ ok, channel });

export const changeChannelAnswer = z.object({ ok, channel });

export const assignChannelAnswer = z.object({
  ok,
  targetChannelId: textOrNull.describe('Null is public sale.'),
  assignmentVersion,
  requested: count,
  applied: count,
  buckets,
});

export const pauseChannelAnswer = z.object({ ok, channel });

export const unpauseChannelAnswer = z.object({ ok, channel });

export const archiveChannelAnswer = z.object({
  ok,
  channel,
  assignmentVersion,
  moved: z.object({ free: count, blocked: count, booked: count, units: count }),
  revokedSessions: count,
});
