/**
 * A plan on its way from the thread that compiled it. The columns by unit and the labels are arrays, which change their
 * thread without a copy. The objects are arrays too (packed-objects.ts). The rest is as small as the list of sections,
 * and is copied.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isArea, type Plan, type PlanObject, type Point } from '../plan.ts';
import { type TextArrays, TextColumn } from '../text-column.ts';
import { type LabelArrays, UnitLabels } from '../unit-labels.ts';
import { objectsPerTurn } from './bounds.ts';
import { arraysOf, ObjectUnpacker, type PackedObjects, packObjects } from './packed-objects.ts';

export type PackedPlan = Omit<Plan, 'labels' | 'seatNames' | 'objects' | 'floorFocalPoints' | 'areaByLabel'> & {
  labels: LabelArrays;
  seatNames: TextArrays | null;
  objects: PackedObjects;
};

export function packPlan(plan: Plan): PackedPlan {
  const { labels, seatNames, objects, floorFocalPoints, areaByLabel: _, ...rest } = plan;
  const packed = packObjects({ objects, floorFocalPoints });
  return { ...rest, labels: labels.arrays, seatNames: seatNames?.arrays ?? null, objects: packed };
}

/** The buffers to transfer. Each belongs to this plan alone. */
export function buffersOf({ labels, seatNames, objects, ...plan }: PackedPlan): ArrayBuffer[] {
  const { objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y } = plan;
  const columns = [objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y];
  const ways = plan.wayOfUnit ? [plan.wayOfUnit] : [];
  const names = seatNames ? [seatNames.codes, seatNames.starts] : [];
  const arrays = [
    ...columns,
    ...ways,
    labels.texts.codes,
    labels.texts.starts,
    labels.table,
    ...names,
    ...arraysOf(objects),
  ];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

/** `objectsPerTurn` objects are made in one turn of the event loop. */
export async function unpackPlan({ labels, seatNames, objects: packed, ...rest }: PackedPlan): Promise<Plan> {
  const unpacker = new ObjectUnpacker(packed);
  const objects: PlanObject[] = [];
  const floorFocalPoints: (Point | null)[] = [];
  const areaByLabel = new Map<string, number>();
  for (let from = 0; from < unpacker.length; from += objectsPerTurn) {
    if (from > 0) await nextTurn();
    for (const object of unpacker.range(from, Math.min(from + objectsPerTurn, unpacker.length))) {
      if (isArea(object)) areaByLabel.set(object.label, objects.length);
      floorFocalPoints.push(unpacker.floorFocalPointAt(objects.length));
      objects.push(object);
    }
  }
  const names = seatNames && new TextColumn(seatNames);
  return { ...rest, labels: new UnitLabels(labels), seatNames: names, objects, floorFocalPoints, areaByLabel };
}
