/**
 * The fields of a file that its format's reader does not know. The report names each such field once for each kind of
 * object, so that nothing is lost in silence.
 */
import type { Fields } from './reading.ts';
import { countOf, type Notes, quoted } from './report.ts';

/** The names of the fields of each kind of object: those that are read, and those that mean nothing for a chart. */
export type KnownFields<Kind extends string> = Readonly<Record<Kind, ReadonlySet<string>>>;

type UnreadField = { kind: string; field: string; count: number };

/** Different unknown fields that are told. A file may invent any number. */
const fieldsMax = 200;

export class UnreadFields<Kind extends string> {
  readonly #known: KnownFields<Kind>;
  readonly #found = new Map<string, UnreadField>();

  constructor(known: KnownFields<Kind>) {
    this.#known = known;
  }

  /** Looks at the fields of one object. */
  see(kind: Kind, object: Fields): void {
    const known = this.#known[kind];
    for (const field in object) {
      if (known.has(field) || isEmpty(object[field])) continue;
      const name = `${kind} ${field}`;
      const found = this.#found.get(name);
      if (found) found.count++;
      else if (this.#found.size < fieldsMax) this.#found.set(name, { kind, field, count: 1 });
    }
  }

  tell(notes: Notes): void {
    for (const { kind, field, count } of this.#found.values()) {
      const have = count === 1 ? 'has' : 'have';
      const message = `${countOf(count, kind, pluralOf(kind))} ${have} the field ${quoted(field)}, which the import does not know. Look whether the chart needs it.`;
      notes.leftOut('unknown_field', message);
    }
  }
}

/** Values that say nothing: most files spell out every field. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function pluralOf(kind: string): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
