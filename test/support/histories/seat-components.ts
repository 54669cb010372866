/**
 * The independent parts of a history: sets of seats that are connected by calls on several of them, each with its
 * operations. A hold and a booking belong to the part of their seats.
 */
import type { Operation } from './history.ts';
import type { Scheduled, SearchInput } from './search-input.ts';

export function componentsOf(input: SearchInput): SearchInput[] {
  const links = new Links();
  for (const operation of input.operations) links.join(namesIn(operation, input));
  for (const { change } of input.scheduled ?? []) links.join(namesIn(change));
  const parts = new Map<string, { operations: Operation[]; scheduled: Scheduled[] }>();
  const partOf = (name: string) => {
    const root = links.rootOf(name);
    const part = parts.get(root) ?? { operations: [], scheduled: [] };
    parts.set(root, part);
    return part;
  };

  const whole: Operation[] = [];
  for (const operation of input.operations) {
    const [name] = namesIn(operation, input);
    if (name === undefined) whole.push(operation);
    else partOf(name).operations.push(operation);
  }
  for (const scheduled of input.scheduled ?? []) partOf(namesIn(scheduled.change)[0]!).scheduled.push(scheduled);
  for (const read of whole) for (const [label] of seatsIn(read)) partOf(`seat ${label}`);
  if (parts.size === 0) return [input];
  for (const [root, part] of parts) {
    const isIn = (label: string): boolean => links.rootOf(`seat ${label}`) === root;
    part.operations.push(...whole.flatMap((read) => narrowed(read, isIn, parts.size > 1)));
  }
  return [...parts.values()].map((part) => ({ ...input, ...part }));
}

/** The names in an operation or change, in one form. Empty for reads of a whole event. */
function namesIn(named: object, { effects }: Pick<SearchInput, 'effects'> = {}): string[] {
  const names = new Set<string>();
  const add = (part: object): void => {
    const { labels, holdId, bookingRef } = part as { labels?: string[]; holdId?: string; bookingRef?: string | null };
    if (holdId !== undefined) names.add(`hold ${holdId}`);
    if (bookingRef != null) names.add(`booking ${bookingRef}`);
    for (const label of labels ?? []) names.add(`seat ${label}`);
  };
  if (!('call' in named)) {
    add(named);
    return [...names];
  }
  const { id, call, outcome } = named as Operation;
  add(call);
  if (outcome.kind === 'ok') add(outcome.answer);
  const effect = effects?.get(id);
  if (effect) add(effect);
  return [...names];
}

/** A read of the whole event, as one part sees it. Counts say nothing about a part. */
function narrowed(read: Operation, isIn: (label: string) => boolean, areSeveral: boolean): Operation[] {
  const { outcome } = read;
  if (!areSeveral || outcome.kind !== 'ok') return [read];
  if (outcome.answer.type !== 'map') return [];
  const seats = seatsIn(read)
    .filter(([label]) => isIn(label))
    .map((seat) => seat.join(' '));
  return [{ ...read, outcome: { kind: 'ok', answer: { ...outcome.answer, seats } } }];
}

function seatsIn({ outcome }: Operation): [label: string, status: string][] {
  if (outcome.kind !== 'ok' || outcome.answer.type !== 'map') return [];
  return outcome.answer.seats.map((seat) => {
    const end = seat.lastIndexOf(' ');
    return [seat.slice(0, end), seat.slice(end + 1)];
  });
}

/** Union-find over names. */
class Links {
  readonly #parents = new Map<string, string>();

  rootOf(name: string): string {
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    for (let each = name; each !== root; ) {
      const parent = this.#parents.get(each)!;
      this.#parents.set(each, root);
      each = parent;
    }
    return root;
  }

  join(names: string[]): void {
    for (const name of names.slice(1)) {
      const one = this.rootOf(names[0]!);
      const other = this.rootOf(name);
      if (one !== other) this.#parents.set(one, other);
    }
  }
}
