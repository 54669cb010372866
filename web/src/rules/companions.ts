/**
 * Companions' places of a hall, by the server's rule (charts/companions.ts in `shared`). The page knows no pieces of
 * rows: a companion's place whose wheelchair place is in another piece belongs to none here. Pure.
 */
import { isCompanionsKind } from '@parterre/shared/charts/accessibility';
import { wheelchairsAlong } from '@parterre/shared/charts/companions';
import { isChairRing } from '@parterre/shared/charts/geometry';
import type { Hall } from './hall.ts';
import { type Statuses, statusWords } from './statuses.ts';

const BOOKED = statusWords.indexOf('booked');
const none: readonly number[] = [];

/** The wheelchair places of a companion's place. */
export function wheelchairsOf(hall: Hall, spot: number): readonly number[] {
  let its = known.get(hall);
  if (!its) {
    its = wheelchairsIn(hall);
    known.set(hall, its);
  }
  return its.get(spot) ?? none;
}

/** Whether a companion's place is for all: its time has passed, and its wheelchair places are sold. */
export function isReleased(hall: Hall, statuses: Statuses, spot: number): boolean {
  if (!statuses.areCompanionsReleased || !isCompanionsKind(hall.accessibilityOf[spot]!)) return false;
  const wheelchairs = wheelchairsOf(hall, spot);
  return wheelchairs.length > 0 && wheelchairs.every((place) => statuses.of[place] === BOOKED);
}

const known = new WeakMap<Hall, ReadonlyMap<number, readonly number[]>>();

function wheelchairsIn(hall: Hall): Map<number, readonly number[]> {
  const { objects, objectOf, accessibilityOf, companionOf, spotOf } = hall;
  const its = new Map<number, readonly number[]>();
  const spotsOf = new Map<number, number[]>();
  for (const [spot, object] of objectOf.entries()) {
    const spots = spotsOf.get(object);
    if (spots) spots.push(spot);
    else spotsOf.set(object, [spot]);
  }
  for (const [object, spots] of spotsOf) {
    if (!spots.some((spot) => isCompanionsKind(accessibilityOf[spot]!))) continue;
    const { type, body } = objects[object]!;
    const isRing = body?.type === 'table' && isChairRing(body);
    const found = wheelchairsAlong(accessibilityOf, spots, { isRow: type === 'row', isRing });
    for (const [spot, places] of found) its.set(spot, places);
  }
  for (const [spot, label] of companionOf) {
    const place = spotOf.get(label);
    its.set(spot, place === undefined ? none : [place]);
  }
  return its;
}
