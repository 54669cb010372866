/**
 * An area may shrink to what is sold. A sold, held or reserved place whose number the new chart lacks moves to a number
 * of the same area that is free there: the area with the same id, else the area with the same label. A place keeps its
 * number where that is possible. Else it takes the lowest number of its channel, of public sale, of any channel, and
 * at last a blocked number, whose block then ends. A blocked place never takes another number: its block ends with it.
 *
 * Numbers are given in the order of the units, so the same state and the same charts always give the same numbers. The
 * record names them: a fold gives none itself.
 */
import { labelsOf, objectOf, type Plan, type PlanObject } from '@parterre/shared/charts/plan';
import type { ChartUpdateAnswer } from '@parterre/shared/protocol/answers';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import { unitStatus } from '@parterre/shared/protocol/records';
import type { Steps } from '../packed/packed.ts';
import { publicSale, type ReadState } from '../state/state.ts';
import type { ChartUpdated } from './dropped-channels.ts';
import { gone, lookUpsPerStep, type PlaceOf } from './places.ts';

export type Renumbered = NonNullable<ChartUpdated['renumbered']>;

/** `placeOf` knows the new numbers. */
export type Renumbering = { renumbered: Renumbered | null; placeOf: PlaceOf };

/**
 * `vanishing`: the units without a place by their label, in their order. Those that stay without one find no number.
 */
export function* renumber(
  state: ReadState,
  plan: Plan,
  labelled: PlaceOf,
  vanishing: readonly number[],
): Steps<Renumbering> {
  const areaAfter = areasAfter(state.plan, plan);
  const moving = vanishing.filter((unit) => areaAfter(objectOf(state.plan, unit)) !== null);
  if (moving.length === 0) return { renumbered: null, placeOf: labelled };
  const numbers = yield* numbersOf(state, labelled, new Set(moving.map((unit) => areaOf(state, unit))), areaAfter);
  const places = new Map<number, number>();
  const sold = moving.filter((unit) => !isBlock(state, unit));
  const given = [...sold, ...moving.filter((unit) => isBlock(state, unit))];
  // Places that keep their number come first: no other place takes it from them.
  for (const unit of given) {
    const place = sameNumber(state.plan, areaAfter, unit);
    if (place !== gone && numbers.take(place)) places.set(unit, place);
  }
  for (const [index, unit] of sold.entries()) {
    if (index % lookUpsPerStep === 0) yield;
    if (places.has(unit)) continue;
    const taken = numbers.lowest(areaAfter(areaOf(state, unit))!, state.channels.of?.[unit] ?? publicSale);
    if (taken !== null) places.set(unit, taken);
  }
  const from = [...places.keys()].sort((one, other) => one - other);
  if (from.length === 0) return { renumbered: null, placeOf: labelled };
  const renumbered = { from, to: from.map((unit) => places.get(unit)!) };
  return { renumbered, placeOf: placesWith(renumbered, labelled) };
}

/**
 * A number that another place takes has no place any more: an ended hold may still name it, and would have the other
 * place as well. A block of the number ends.
 */
export function placesWith(renumbered: Renumbered | undefined, labelled: PlaceOf): PlaceOf {
  if (!renumbered) return labelled;
  const { from, to } = renumbered;
  const places = new Map(from.map((unit, nth) => [unit, to[nth]!]));
  const taken = new Set(to);
  return (unit) => {
    const moved = places.get(unit);
    if (moved !== undefined) return moved;
    const place = labelled(unit);
    return taken.has(place) ? gone : place;
  };
}

/** In the form of the answer. */
export function toldOfRenumbered(
  before: Plan,
  after: Plan,
  renumbered: Renumbered | null | undefined,
): Pick<ChartUpdateAnswer, 'renumbered'> {
  if (!renumbered) return {};
  const labels = labelsOf(before, renumbered.from.slice(0, missingLabelsMax));
  const to = labelsOf(after, renumbered.to.slice(0, missingLabelsMax));
  return { renumbered: { count: renumbered.from.length, labels, to } };
}

type AreaAfter = (area: PlanObject) => PlanObject | null;

function areasAfter(before: Plan, after: Plan): AreaAfter {
  const known = new Map<PlanObject, PlanObject | null>();
  const byId = new Map(after.objects.filter(({ type }) => type === 'gaArea').map((area) => [area.id, area]));
  return (area) => {
    if (area.type !== 'gaArea') return null;
    const standing = known.get(area);
    if (standing !== undefined) return standing;
    const labelled = after.objects[after.areaByLabel.get(area.label) ?? -1];
    // An area that another area of the chart before has the id of is that area's.
    const isOthers = labelled !== undefined && before.objects.some(({ id }) => id === labelled.id && id !== area.id);
    const found = byId.get(area.id) ?? (labelled?.type === 'gaArea' && !isOthers ? labelled : null);
    known.set(area, found);
    return found;
  };
}

function areaOf({ plan }: ReadState, unit: number): PlanObject {
  return objectOf(plan, unit);
}

function isBlock({ statuses, slotOf }: ReadState, unit: number): boolean {
  return statuses[unit] === unitStatus.blocked && slotOf[unit] === 0;
}

function sameNumber(before: Plan, areaAfter: AreaAfter, unit: number): number {
  const area = objectOf(before, unit);
  const after = areaAfter(area)!;
  const nth = unit - area.firstUnit;
  return nth < after.unitCount ? after.firstUnit + nth : gone;
}

/** The numbers of the new areas that no place has which stays. */
function* numbersOf(
  state: ReadState,
  labelled: PlaceOf,
  areas: ReadonlySet<PlanObject>,
  areaAfter: AreaAfter,
): Steps<Numbers> {
  const taken = new Set<number>();
  const blocks = new Set<number>();
  const channelOf = new Map<number, number>();
  let steps = 0;
  for (const { firstUnit, unitCount } of areas) {
    for (let unit = firstUnit; unit < firstUnit + unitCount; unit++) {
      if (++steps % lookUpsPerStep === 0) yield;
      const place = labelled(unit);
      if (place === gone) continue;
      const channel = state.channels.of?.[unit] ?? publicSale;
      if (channel !== publicSale) channelOf.set(place, channel);
      if (isBlock(state, unit)) blocks.add(place);
      else if (state.statuses[unit] !== unitStatus.free) taken.add(place);
    }
  }
  const numbers = new Numbers(blocks);
  for (const after of new Set([...areas].map((area) => areaAfter(area)!))) {
    for (let place = after.firstUnit; place < after.firstUnit + after.unitCount; place++) {
      if (++steps % lookUpsPerStep === 0) yield;
      if (!taken.has(place)) numbers.add(after, channelOf.get(place) ?? publicSale, place);
    }
  }
  return numbers;
}

/** Each queue has its numbers in their order. A number that was taken out of its turn is passed over. */
class Numbers {
  readonly #blocks: ReadonlySet<number>;
  readonly #free = new Map<PlanObject, Map<number, number[]>>();
  readonly #blocked = new Map<PlanObject, number[]>();
  readonly #open = new Set<number>();

  constructor(blocks: ReadonlySet<number>) {
    this.#blocks = blocks;
  }

  add(area: PlanObject, channel: number, place: number): void {
    this.#open.add(place);
    if (this.#blocks.has(place)) {
      queueIn(this.#blocked, area).push(place);
      return;
    }
    const byChannel = this.#free.get(area) ?? new Map<number, number[]>();
    this.#free.set(area, byChannel);
    queueIn(byChannel, channel).push(place);
  }

  /** False for a number that is taken or blocked. */
  take(place: number): boolean {
    return !this.#blocks.has(place) && this.#open.delete(place);
  }

  lowest(area: PlanObject, channel: number): number | null {
    const byChannel = this.#free.get(area);
    const queues = [byChannel?.get(channel), byChannel?.get(publicSale), ...(byChannel?.values() ?? [])];
    for (const queue of [...queues, this.#blocked.get(area)]) {
      const place = this.#nextOf(queue);
      if (place !== null) return place;
    }
    return null;
  }

  #nextOf(queue: number[] | undefined): number | null {
    while (queue && queue.length > 0) {
      if (this.#open.delete(queue[0]!)) return queue.shift()!;
      queue.shift();
    }
    return null;
  }
}

function queueIn<K>(queues: Map<K, number[]>, key: K): number[] {
  const standing = queues.get(key);
  if (standing) return standing;
  const queue: number[] = [];
  queues.set(key, queue);
  return queue;
}
