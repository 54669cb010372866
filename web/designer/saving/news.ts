/**
 * Changes by other people that nobody has read yet. News add up until a person dismisses them, by the people who made
 * them: a save names its person and not its objects, so the changes that come together belong to everybody who saved
 * meanwhile. Pure.
 */
import type { Collision } from '../document/collisions.ts';
import type { Merged, TheirChange } from '../document/merge.ts';
import type { OpenChart, SaveNote } from '../session/calls.ts';

/** Null for a person whom the session does not name. */
export type Person = string | null;

export type NewsEntry = {
  readonly people: readonly Person[];
  /** Of the last save. */
  readonly at: number;
  readonly changes: readonly TheirChange[];
};

export type News = {
  /** The newest last. */
  readonly entries: readonly NewsEntry[];
  /** Labels that stand twice since a merge. */
  readonly collisions: readonly Collision[];
};

export const noNews: News = { entries: [], collisions: [] };

/** The saves that the server told last, and the news since a person last dismissed it. */
export class NewsDesk {
  #saves: readonly SaveNote[];
  #unread = noNews;

  constructor(saves: readonly SaveNote[]) {
    this.#saves = saves;
  }

  get unread(): News {
    return this.#unread;
  }

  /** Who has saved the chart after this state. */
  peopleSince(updatedAt: number): Person[] {
    return peopleOf(this.#saves.filter(({ at }) => at > updatedAt));
  }

  /** `before`: the marker of the page's state before the merge. */
  add({ theirs, collisions }: Merged, { meta, saves = [] }: OpenChart, before: number): void {
    this.#saves = saves;
    const entry = { people: this.peopleSince(before), at: meta.updatedAt, changes: theirs };
    this.#unread = withCollisions(withChanges(this.#unread, entry), collisions);
  }

  addCollisions({ collisions }: Merged): void {
    this.#unread = withCollisions(this.#unread, collisions);
  }

  dismiss(): void {
    this.#unread = noNews;
  }
}

/** More groups of people share an entry. */
const ENTRIES_MAX = 20;

export function peopleOf(saves: readonly SaveNote[]): Person[] {
  const people = [...new Set(saves.map(({ by }) => by))].sort();
  return people.length > 0 ? people : [null];
}

export function withChanges(news: News, fresh: NewsEntry): News {
  if (fresh.changes.length === 0) return news;
  const known = news.entries.find(({ people }) => isSamePeople(people, fresh.people));
  const others = news.entries.filter((each) => each !== known);
  const entries = [...others, known ? joined(known, fresh) : fresh];
  if (entries.length > ENTRIES_MAX) entries.splice(0, 2, joined(entries[0]!, entries[1]!));
  return { ...news, entries: entries.filter(({ changes }) => changes.length > 0) };
}

export function withCollisions(news: News, fresh: readonly Collision[]): News {
  const known = new Set(news.collisions.map(({ label }) => label));
  const added = fresh.filter(({ label }) => !known.has(label));
  return added.length === 0 ? news : { ...news, collisions: [...news.collisions, ...added] };
}

function isSamePeople(one: readonly Person[], other: readonly Person[]): boolean {
  return one.length === other.length && one.every((person, index) => person === other[index]);
}

function joined(before: NewsEntry, after: NewsEntry): NewsEntry {
  const changes = new Map(before.changes.map((change) => [keyOf(change), change]));
  for (const change of after.changes) {
    const key = keyOf(change);
    const earlier = changes.get(key);
    changes.delete(key);
    const both = earlier ? bothOf(earlier, change) : change;
    if (both) changes.set(key, both);
  }
  const people = [...new Set([...before.people, ...after.people])].sort();
  return { people, at: Math.max(before.at, after.at), changes: [...changes.values()] };
}

/** Null for an element that came and went. */
function bothOf(earlier: TheirChange, later: TheirChange): TheirChange | null {
  if (earlier.how === 'added') return later.how === 'deleted' ? null : { ...later, how: 'added', fields: [] };
  if (later.how === 'deleted') return later;
  return { ...later, how: 'changed', fields: [...new Set([...earlier.fields, ...later.fields])] };
}

function keyOf({ kind, id }: TheirChange): string {
  return `${kind} ${id ?? ''}`;
}
