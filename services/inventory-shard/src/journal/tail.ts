/** The forms of a log's messages, and the facts for the next owner in the last message. */

import type { EpochRecord } from '@parterre/shared/journal/heads';
import { headOf } from '@parterre/shared/journal/messages';

/** The form of a message (docs/journal.md). */
export type Form = 1 | 2;

/** `least`: the form that every program of the deployment reads. `low` tells the low-water mark for the next commit. */
export type FormPorts = { least: Form; low(): number };

export const firstForm: FormPorts = { least: 1, low: () => 0 };

/**
 * `record` is set when the last message is an epoch record. `late` is the epoch whose appends may still come, or null.
 * `low` is the low-water mark.
 */
export type Tail = {
  sequence: number;
  form: Form;
  epoch: number;
  record: EpochRecord | null;
  late: number | null;
  low: number;
};

/** `payload` is null for an empty log. A log of the first form has no shared part: its end is its low-water mark. */
export function tailOf(sequence: number, payload: Uint8Array | null): Tail {
  if (!payload) return { sequence, form: 1, epoch: 0, record: null, late: null, low: sequence };
  const head = headOf(payload);
  const record = 'owner' in head ? head : null;
  const low = head.v === 2 ? head.low : sequence;
  return { sequence, form: head.v, epoch: head.epoch, record, late: record ? lateBehind(record) : head.epoch, low };
}

/** The epoch whose appends may still come when this record is the last, or null. */
function lateBehind({ epoch, released, fence }: EpochRecord): number | null {
  if (released) return null;
  return fence && fence.left > 0 ? fence.late : epoch;
}
