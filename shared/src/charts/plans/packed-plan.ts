/**
 * A plan on its way from the thread that compiled it. The columns by unit and the labels are arrays, which change their
 * thread without a copy. The objects are arrays too (packed-objects.ts). The rest is as small as the list of sections,
 * and is copied.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isArea, type Plan, type PlanObject, type Point } from '../plan.ts';
import { type LabelArrays, UnitLabels } from '../unit-labels.ts';
import { objectsPerTurn } from './bounds.ts';
import { arraysOf, ObjectUnpacker, type PackedObjects, packObjects } from './packed-objects.ts';

export type PackedPlan = Omit<Plan, 'labels' | 'objects' | 'floorFocalPoints' | 'areaByLabel'> & {
  labels: LabelArrays;
  objects: PackedObjects;
};

export function packPlan(plan: Plan): PackedPlan {
  const { labels, objects, floorFocalPoints, areaByLabel: _, ...rest } = plan;
  return { ...rest, labels: labels.arrays, objects: packObjects({ objects, floorFocalPoints }) };
}

/** The buffers to transfer. Each belongs to this plan alone. */
export function buffersOf({ labels, objects, ...plan }: PackedPlan): ArrayBuffer[] {
  const { objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y } = plan;
  const columns = [objectOfUnit, indexOfUnit, categoryOfUnit, accessibilityOfUnit, x, y];
  const arrays = [...columns, labels.texts.codes, labels.texts.starts, labels.table, ...arraysOf(objects)];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}

/** `objectsPerTurn` objects are made in one turn of the event loop. */
export async function unpackPlan({ labels, objects: packed, ...rest }: PackedPlan): Promise<Plan> {
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
  return { ...rest, labels: new UnitLabels(labels), objects, floorFocalPoints, areaByLabel };
}
