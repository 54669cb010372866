/**
 * The numbers of units in binary frames, as lists of labels: the units of the chart that the audience gets, in chart
 * order. In the list for buyers, hidden units have neither a label nor a number. A list never changes under its id, so
 * it is written once and kept as bytes.
 *
 * Failure at the await: none, since a list is made from memory.
 */
import { done, Fault } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import type { Spelled } from '../answers/answers.ts';
import { createBytesCache } from '../caches/caches.ts';
import type { Picture } from './picture.ts';
import type { Audience } from './rules/audience.ts';

const BYTES_MAX = 64 * 1024 * 1024;

/** The id of a list. The same units in the same order have the same id. */
export function unitsId(picture: Picture, words: Audience['words']): string {
  const hidden = words === 'server' ? [] : picture.scopes.hidden;
  return hidden.length === 0 ? picture.plan.hash : sha256(`${picture.plan.hash} ${JSON.stringify([...hidden].sort())}`);
}

export type UnitLists = { listOf(picture: Picture, words: Audience['words']): Promise<List> };

type List = Spelled<{ id: string; units: string[] }, Buffer>;

/** `{ id, units: [label] }` as JSON. */
export function createUnitLists(): UnitLists {
  const { get } = createBytesCache<List>(BYTES_MAX, (bytes) => bytes.length);
  return {
    async listOf(picture, words) {
      const id = unitsId(picture, words);
      const list = await get(id, async () => {
        return done(Buffer.from(JSON.stringify({ id, units: labelsOf(picture, words) })) as List);
      });
      if (!list.ok) throw new Fault(`list the units of ${id}: ${list.refusal.message}`);
      return list.value;
    },
  };
}

function labelsOf(picture: Picture, words: Audience['words']): string[] {
  const { index } = picture.numbering(words);
  const labels = picture.plan.labels.all();
  return index === null ? labels : labels.filter((_, unit) => index[unit] !== -1);
}
