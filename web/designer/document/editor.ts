/**
 * The document under the designer's hands, with its floor, selection and history. All changes of the document go
 * through `apply`, `undo`, `redo` and `replace`, which tell the listeners what changed. Nothing here waits.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { tiersFollow, withTierLabels } from '../labelling/tier-labels.ts';
import type { MessageKey } from '../messages/words.ts';
import { type Changes, changesBetween } from './changes.ts';
import { isSame } from './fields.ts';
import { withFocalPoints } from './focal-points.ts';
import { History, type Stepped } from './history.ts';
import { everyObject, floorCountOf, idOf } from './objects.ts';
import {
  everythingAllowed,
  type Permissions,
  type Refusal,
  refusedBySession,
  refusedBySize,
  type SafeJudge,
} from './permissions.ts';
import { isSameSelection, keptSelection, nothingSelected, type Selection } from './selection.ts';

export type { Selection } from './selection.ts';

/** Pure. It returns the same document when it changes nothing, and shares all objects that it does not change. */
export type Edit = (document: ChartDocument) => ChartDocument;

/** An edit that makes objects, and the selection of these objects. */
export type MakingEdit = { readonly edit: Edit; readonly selection: Selection };

/** `objects` has the ids of changed, new and deleted objects; null = everything may have changed. */
export type Change = {
  readonly objects: ReadonlySet<string> | null;
  readonly isDocument: boolean;
  readonly isSelection: boolean;
  readonly isFloor: boolean;
};

type Options = {
  permissions?: Permissions;
  /** For safe mode. Without it the server alone judges. */
  judge?: SafeJudge | null;
  historyBytesMax?: number;
};

const unchanged = { objects: new Set<string>(), isDocument: false, isSelection: false, isFloor: false };

export class Editor {
  #document: ChartDocument;
  #floor = 0;
  #selection: Selection = nothingSelected;
  #left: readonly string[] = [];
  #refused: Refusal | null = null;
  #may: Permissions;
  readonly #judge: SafeJudge | null;
  readonly #history: History;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(
    document: ChartDocument,
    { permissions = everythingAllowed, judge = null, historyBytesMax }: Options = {},
  ) {
    this.#document = document;
    this.#may = permissions;
    this.#judge = judge;
    this.#history = new History(historyBytesMax);
  }

  get document(): ChartDocument {
    return this.#document;
  }

  /** Index in the document's floors; 0 where it has none. */
  get floor(): number {
    return this.#floor;
  }

  get selection(): Selection {
    return this.#selection;
  }

  get may(): Permissions {
    return this.#may;
  }

  get canUndo(): boolean {
    return this.#history.canUndo && this.#may.authority !== 'read-only';
  }

  get canRedo(): boolean {
    return this.#history.canRedo && this.#may.authority !== 'read-only';
  }

  /** Ids of objects that the last undo or redo left as they are, because somebody else changed them too. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** The reason why the last undo or redo is refused; null where it was taken. */
  get refused(): Refusal | null {
    return this.#refused;
  }

  /**
   * `name` is the message of the step, for the announcement of an undo. Edits of the same `gesture` (a drag) are a
   * single step. Returns a refusal if the session forbids the edit, else null.
   */
  apply(edit: Edit, name: MessageKey, gesture: string | null = null): Refusal | null {
    const before = this.#document;
    const edited = edit(before);
    if (edited === before) return null;
    const changes = changesBetween(before, edited);
    const refusal = this.#refusalOf(changes, before, edited);
    if (refusal) return refusal;
    const after = withFocalPoints(before, withTierLabels(edited, changes.objects));
    this.#history.add(name, gesture, before, after);
    this.#show(after, changes);
    return null;
  }

  undo(): MessageKey | null {
    return this.canUndo ? this.#step((allows) => this.#history.undo(this.#document, allows)) : null;
  }

  redo(): MessageKey | null {
    return this.canRedo ? this.#step((allows) => this.#history.redo(this.#document, allows)) : null;
  }

  /** Takes back the edits of a gesture as if it had never begun: no redo brings them back. */
  giveUp(gesture: string): void {
    this.#step((allows) => this.#history.giveUp(gesture, this.#document, allows));
  }

  /** Takes the part of the selection that is on the floor in sight. */
  select(selection: Selection): void {
    const kept = keptSelection(selection, this.#document, this.#floor);
    if (isSameSelection(kept, this.#selection)) return;
    this.#selection = kept;
    this.#tell({ ...unchanged, isSelection: true });
  }

  /** Empties the selection: the objects of another floor cannot be seen. */
  showFloor(floor: number): void {
    const next = Math.min(Math.max(floor, 0), floorCountOf(this.#document) - 1);
    if (next === this.#floor) return;
    this.#floor = next;
    const isSelection = this.#selection !== nothingSelected;
    this.#selection = nothingSelected;
    this.#tell({ objects: null, isDocument: false, isSelection, isFloor: true });
  }

  /**
   * The server's or another person's document (a merge). Undo goes on over it object by object. The editor's document
   * is equal to it, and shares the objects that did not change.
   */
  replace(document: ChartDocument): void {
    const after = sharing(this.#document, document);
    if (after !== this.#document) this.#show(after, changesBetween(this.#document, after));
  }

  /** A fresh session may allow something else. */
  permit(permissions: Permissions): void {
    this.#may = permissions;
    this.#tell(unchanged);
  }

  /** Returns the end of the subscription. */
  subscribe(heard: (change: Change) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** A person who may rename seats need not have the right to change the tiers that follow them, there and back. */
  #refusalOf(changes: Changes, before: ChartDocument, after: ChartDocument): Refusal | null {
    const isFollowing = changes.fields.includes('categories') && tiersFollow(before, after, changes.objects);
    const fields = isFollowing ? changes.fields.filter((name) => name !== 'categories') : changes.fields;
    return (
      refusedBySession(this.#may, { ...changes, fields }) ??
      this.#judge?.(changes, before, after) ??
      refusedBySize(changes, after)
    );
  }

  /**
   * A step is judged as an edit is: a fresh session may forbid what an earlier one allowed, and other people may have
   * taken the room for the places that come back.
   */
  #step(take: (allows: (after: ChartDocument) => boolean) => Stepped | null): MessageKey | null {
    const before = this.#document;
    let changes: Changes | null = null;
    this.#refused = null;
    const stepped = take((after) => {
      if (after !== before) changes = changesBetween(before, after);
      this.#refused = changes && this.#refusalOf(changes, before, after);
      return this.#refused === null;
    });
    this.#left = stepped?.left ?? [];
    if (stepped && changes) this.#show(stepped.document, changes);
    return stepped?.name ?? null;
  }

  /** The floor in sight stays in sight, wherever it stands now. */
  #show(document: ChartDocument, { objects, isArranged }: Changes): void {
    const before = floorId(this.#document, this.#floor);
    const floor = floorAfter(this.#document, this.#floor, document);
    const after = floorId(document, floor);
    const isOther = before !== undefined && after !== undefined && before !== after;
    const isFloor = isOther || floor !== this.#floor;
    this.#document = document;
    this.#floor = floor;
    const selection = isOther ? nothingSelected : keptSelection(this.#selection, document, floor);
    const isSelection = selection !== this.#selection;
    this.#selection = selection;
    const ids = isArranged ? null : new Set(objects.map(({ id }) => id));
    this.#tell({ objects: ids, isDocument: true, isSelection, isFloor });
  }

  #tell(change: Change): void {
    for (const heard of [...this.#listeners]) heard(change);
  }
}

function floorId({ floors }: ChartDocument, floor: number): string | undefined {
  return floors?.[floor]?.id;
}

/**
 * The index of a floor in the next document. In the place of a floor that is gone stands the floor before it, which
 * takes its objects where a person removes it.
 */
function floorAfter(before: ChartDocument, floor: number, { floors = [] }: ChartDocument): number {
  // A draft may have two floors of one id.
  if (before.floors && floors[floor]?.id === floorId(before, floor)) return floor;
  for (let index = floor; index >= 0; index--) {
    const found = floors.findIndex(({ id }) => id === floorId(before, index));
    if (found >= 0) return found;
  }
  return 0;
}

/** `next` with the equal objects of `known` in the place of its own; `known` itself where they are equal. */
function sharing(known: ChartDocument, next: ChartDocument): ChartDocument {
  if (isSame(known, next)) return known;
  const byId = new Map<string, ChartObject>();
  /** Decoration without ids, by its content. */
  const byContent = new Map<string, ChartObject>();
  for (const object of everyObject(known)) {
    if (typeof object.id === 'string') byId.set(idOf(object), object);
    else byContent.set(JSON.stringify(object), object);
  }
  const shared = (object: ChartObject): ChartObject => {
    const own = typeof object.id === 'string' ? byId.get(object.id) : byContent.get(JSON.stringify(object));
    return own && isSame(own, object) ? own : object;
  };
  const floors = next.floors?.map((floor) => ({ ...floor, objects: floor.objects.map(shared) }));
  const objects = isMirror(next) ? floors![0]!.objects : next.objects.map(shared);
  return { ...next, ...(floors && { floors }), objects };
}

/** Whether `objects` repeats the first floor, as it should. */
function isMirror({ objects, floors }: ChartDocument): boolean {
  return !!floors?.length && isSame(objects, floors[0]!.objects);
}
