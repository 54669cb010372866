/**
 * Which unit has which number in binary frames: the units of the chart that the audience is given are numbered in its order. What
 * is hidden from buyers has no number there. Pure.
 */
import { sha256 } from '@parterre/shared/ids';
import type { Audience } from '../rules/audience.ts';
import type { Picture } from './picture.ts';

/** Names the list: the same units in the same order have the same one. */
export function unitsId(picture: Picture, words: Audience['words']): string {
  const hidden = words === 'server' ? [] : picture.scopes.hidden;
  return hidden.length === 0 ? picture.plan.hash : sha256(`${picture.plan.hash} ${JSON.stringify([...hidden].sort())}`);
}
