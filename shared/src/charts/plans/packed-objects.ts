/**
 * The objects of a plan as arrays, for the way to another thread. A chart may have 100,000 objects, and a loop that
 * receives them as they are stands still for more than a tenth of a second. Arrays change their thread without a copy.
 * The loop makes objects of them in portions as small as it likes.
 */
import type { Plan, PlanObject, Point } from '../plan.ts';
import { type TextArrays, TextColumn } from '../text-column.ts';

/** A field with few different values: the values, and the index of each object's value. */
type Repeated<T> = { values: T[]; indexes: Uint32Array };

/** `id`, `label`, `name`, `firstUnit` and `unitCount` differ from object to object. All other fields repeat. */
const repeatedFields = [
  'floor',
  'sectionName',
  'entrance',
  'type',
  'section',
  'outlineId',
  'zoneId',
  'bookingMode',
  'capacity',
  'minOccupancy',
  'maxOccupancy',
  'continues',
  'seatSpacing',
  'isRing',
] as const;
type RepeatedField = (typeof repeatedFields)[number];

export type PackedObjects = {
  ids: TextArrays;
  labels: TextArrays;
  names: TextArrays;
  firstUnits: Uint32Array;
  unitCounts: Uint32Array;
  repeated: { [F in RepeatedField]: Repeated<PlanObject[F]> };
  floorFocalPoints: Repeated<Point | null>;
};

export function packObjects({ objects, floorFocalPoints }: Pick<Plan, 'objects' | 'floorFocalPoints'>): PackedObjects {
  return {
    ids: TextColumn.of(objects.map(({ id }) => id)).arrays,
    labels: TextColumn.of(objects.map(({ label }) => label)).arrays,
    names: TextColumn.of(objects.map(({ name }) => name)).arrays,
    firstUnits: Uint32Array.from(objects, ({ firstUnit }) => firstUnit),
    unitCounts: Uint32Array.from(objects, ({ unitCount }) => unitCount),
    repeated: Object.fromEntries(
      repeatedFields.map((field) => [field, repeated(objects.map((object) => object[field]))]),
    ) as PackedObjects['repeated'],
    floorFocalPoints: repeated(floorFocalPoints),
  };
}

function repeated<T>(list: readonly T[]): Repeated<T> {
  const indexOf = new Map<T, number>();
  const indexes = Uint32Array.from(list, (value) => {
    if (!indexOf.has(value)) indexOf.set(value, indexOf.size);
    return indexOf.get(value)!;
  });
  return { values: [...indexOf.keys()], indexes };
}

export function arraysOf({ ids, labels, names, firstUnits, unitCounts, repeated, floorFocalPoints }: PackedObjects) {
  const indexes = [...Object.values(repeated), floorFocalPoints].map((field) => field.indexes);
  const texts = [ids, labels, names].flatMap(({ codes, starts }) => [codes, starts]);
  return [...texts, firstUnits, unitCounts, ...indexes];
}

export class ObjectUnpacker {
  readonly #packed: PackedObjects;
  readonly #ids: TextColumn;
  readonly #labels: TextColumn;
  readonly #names: TextColumn;
  readonly length: number;

  constructor(packed: PackedObjects) {
    this.#packed = packed;
    this.#ids = new TextColumn(packed.ids);
    this.#labels = new TextColumn(packed.labels);
    this.#names = new TextColumn(packed.names);
    this.length = packed.firstUnits.length;
  }

  floorFocalPointAt(index: number): Point | null {
    return at(this.#packed.floorFocalPoints, index);
  }

  /** The objects from `from` to `to`, without `to`. */
  range(from: number, to: number): PlanObject[] {
    const ids = this.#ids.range(from, to);
    const labels = this.#labels.range(from, to);
    const names = this.#names.range(from, to);
    return ids.map((id, nth) => this.#objectAt(from + nth, id, labels[nth]!, names[nth]!));
  }

  #objectAt(index: number, id: string, label: string, name: string): PlanObject {
    const { repeated, firstUnits, unitCounts } = this.#packed;
    return {
      id,
      label,
      // Most names are labels. One text of the two saves the memory of the other.
      name: name === label ? label : name,
      floor: at(repeated.floor, index),
      sectionName: at(repeated.sectionName, index),
      entrance: at(repeated.entrance, index),
      type: at(repeated.type, index),
      section: at(repeated.section, index),
      outlineId: at(repeated.outlineId, index),
      zoneId: at(repeated.zoneId, index),
      firstUnit: firstUnits[index]!,
      unitCount: unitCounts[index]!,
      bookingMode: at(repeated.bookingMode, index),
      capacity: at(repeated.capacity, index),
      minOccupancy: at(repeated.minOccupancy, index),
      maxOccupancy: at(repeated.maxOccupancy, index),
      continues: at(repeated.continues, index),
      seatSpacing: at(repeated.seatSpacing, index),
      isRing: at(repeated.isRing, index),
    };
  }
}

function at<T>({ values, indexes }: Repeated<T>, index: number): T {
  return values[indexes[index]!]!;
}
