/**
 * The messages between the page and the thread that checks the document. The page sends an object once, under a number
 * of its own: a copy of all objects would hold the page up. A check names the objects of each floor by their numbers.
 * The thread forgets objects that a check does not name, and so does the page. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Issue } from '@parterre/shared/protocol/errors';
import type { Warning } from './warnings.ts';

export type CheckingRequest =
  | { type: 'objects'; objects: readonly (readonly [number: number, object: ChartObject])[] }
  /** `bare` is the document without objects; `floors` has the numbers of its objects, floor by floor. */
  | { type: 'check'; bare: ChartDocument; floors: readonly Uint32Array[] };

export type Checked = { issues: readonly Issue[]; warnings: readonly Warning[] };

type Check = Extract<CheckingRequest, { type: 'check' }>;

/** The page's side: which objects the thread has. */
export class Sender {
  readonly #numbers = new WeakMap<ChartObject, number>();
  #there: ReadonlySet<number> = new Set();
  #sent = new Set<number>();
  #next = 0;

  /** The objects that the thread lacks, in parts of about this weight, and the check last. */
  *messages(document: ChartDocument, weightMax: number): Generator<CheckingRequest> {
    const floors = listsOf(document);
    let part: [number, ChartObject][] = [];
    let weight = 0;
    for (const object of floors.flat()) {
      const number = this.#numberOf(object);
      if (this.#there.has(number) || this.#sent.has(number)) continue;
      part.push([number, object]);
      weight += weightOf(object);
      if (weight < weightMax) continue;
      yield this.#objects(part);
      part = [];
      weight = 0;
    }
    if (part.length > 0) yield this.#objects(part);
    const numbers = floors.map((objects) => Uint32Array.from(objects, (object) => this.#numberOf(object)));
    this.#there = new Set(numbers.flatMap((list) => [...list]));
    this.#sent = new Set();
    yield { type: 'check', bare: bareOf(document), floors: numbers };
  }

  /** A caller that stops asking has sent these all the same. */
  #objects(part: [number, ChartObject][]): CheckingRequest {
    for (const [number] of part) this.#sent.add(number);
    return { type: 'objects', objects: part };
  }

  #numberOf(object: ChartObject): number {
    let number = this.#numbers.get(object);
    if (number === undefined) {
      number = this.#next++;
      this.#numbers.set(object, number);
    }
    return number;
  }
}

/** The thread's side. */
export class Receiver {
  #objects = new Map<number, ChartObject>();

  add({ objects }: Extract<CheckingRequest, { type: 'objects' }>): void {
    for (const [number, object] of objects) this.#objects.set(number, object);
  }

  document({ bare, floors }: Check): ChartDocument {
    const kept = new Map<number, ChartObject>();
    const lists = floors.map((numbers) =>
      Array.from(numbers, (number) => {
        const object = this.#objects.get(number)!;
        kept.set(number, object);
        return object;
      }),
    );
    this.#objects = kept;
    const objects = lists[0] ?? [];
    if (!bare.floors?.length) return { ...bare, objects };
    return { ...bare, objects, floors: bare.floors.map((floor, index) => ({ ...floor, objects: lists[index]! })) };
  }
}

function listsOf({ floors, objects }: ChartDocument): readonly (readonly ChartObject[])[] {
  return floors?.length ? floors.map((floor) => floor.objects) : [objects];
}

function bareOf(document: ChartDocument): ChartDocument {
  const { floors } = document;
  return { ...document, objects: [], ...(floors && { floors: floors.map((floor) => ({ ...floor, objects: [] })) }) };
}

/** The work of copying an object, in fields of a plain row. */
function weightOf(object: ChartObject): number {
  const { overrides, points, outline } = object as { [name: string]: unknown };
  return [overrides, points, outline].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length / 4 : 0),
    1,
  );
}
