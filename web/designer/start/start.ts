/**
 * The start of a chart that nobody has drawn yet: a template in sizes of a person's choice, or nothing. The templates
 * load when they are first shown. A drawn template is a step like any other: after an undo the choice is back.
 *
 * States: choosing (loading, listed or failed) ↔ sizing a template. `isOver` ends all of them: the person draws from
 * nothing, or the chart has objects that no template drew.
 */
import { type ChartDocument, nameOf } from '@parterre/shared/charts/document';
import { draftSeatTotal } from '@parterre/shared/charts/places';
import type { Sizes, Template } from '@parterre/shared/charts/templates/templates';
import type { Editor } from '../document/editor.ts';
import { everyObject, withObjects } from '../document/objects.ts';
import type { Refusal } from '../document/permissions.ts';

type Library = typeof import('@parterre/shared/charts/templates/templates');

/** A template in usual sizes. */
export type Offer = { template: Template; document: ChartDocument; places: number };
/** A template in chosen sizes; `sample` is null while a size is out of its bounds. */
export type Sized = { template: Template; sizes: Sizes; sample: ChartDocument | null; places: number };

export type Starting =
  | { step: 'loading' }
  | { step: 'failed' }
  | { step: 'choosing'; offers: readonly Offer[] }
  | { step: 'sizing'; sized: Sized; refusal: Refusal | null };

type Ports = { editor: Editor; changed(): void };

export class Start {
  readonly #ports: Ports;
  #library: Library | null = null;
  #offers: readonly Offer[] | null = null;
  #state: Starting = { step: 'loading' };
  #isAsked = false;
  #isOver: boolean;
  /** This page drew a template. */
  #hasDrawn = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#isOver = !isEmpty(ports.editor.document);
    ports.editor.subscribe(() => {
      if (!this.#hasDrawn && !isEmpty(ports.editor.document)) this.#isOver = true;
    });
  }

  get state(): Starting {
    return this.#state;
  }

  /** Whether the chart still waits for its first object. */
  get isOpen(): boolean {
    const { document, may } = this.#ports.editor;
    return !this.#isOver && isEmpty(document) && may.authority !== 'read-only' && may.has('templates');
  }

  /** Loads the templates once, and again where a person asks for it after a failure. */
  async load(isAgain = false): Promise<void> {
    if (this.#isAsked && !isAgain) return;
    this.#isAsked = true;
    if (isAgain) this.list();
    try {
      const library = await import('@parterre/shared/charts/templates/templates');
      this.#library = library;
      this.#offers = library.templates.map((template) => {
        const document = library.documentOf(template, library.usualSizes(template));
        return { template, document, places: draftSeatTotal(document) };
      });
      this.list();
    } catch {
      this.#become({ step: 'failed' });
    }
  }

  list(): void {
    this.#become(this.#offers ? { step: 'choosing', offers: this.#offers } : { step: 'loading' });
  }

  choose({ template, document, places }: Offer): void {
    const sizes = this.#library!.usualSizes(template);
    this.#become({ step: 'sizing', sized: { template, sizes, sample: document, places }, refusal: null });
  }

  /** `value` may be no number. */
  size(name: string, value: number): void {
    if (this.#state.step !== 'sizing') return;
    const { template, sizes: before } = this.#state.sized;
    const sizes = { ...before, [name]: value };
    const drawn = this.#library!.drawTemplate(template, sizes);
    const sample = 'document' in drawn ? drawn.document : null;
    const places = sample ? draftSeatTotal(sample) : 0;
    this.#become({ step: 'sizing', sized: { template, sizes, sample, places }, refusal: null });
  }

  /** Returns whether the template is drawn. */
  draw(): boolean {
    if (this.#state.step !== 'sizing' || this.#state.sized.sample === null) return false;
    const { sized } = this.#state;
    this.#hasDrawn = true;
    const refusal = this.#ports.editor.apply((document) => started(document, sized.sample!), 'start.step');
    if (refusal) this.#become({ step: 'sizing', sized, refusal });
    else this.list();
    return refusal === null;
  }

  /** Draw from nothing. */
  leave(): void {
    this.#isOver = true;
    this.#ports.changed();
  }

  #become(state: Starting): void {
    this.#state = state;
    this.#ports.changed();
  }
}

function isEmpty(document: ChartDocument): boolean {
  return everyObject(document).next().done === true;
}

/** The empty chart with the template's drawing. Its name, categories, zones and floors stay. */
function started(document: ChartDocument, drawn: ChartDocument): ChartDocument {
  const { name, objects, categories, zones = [], ...rest } = drawn;
  const both = {
    ...document,
    ...rest,
    name: document.name || name,
    categories: joined(categories, document.categories),
  };
  const named = [...zones, ...(document.zones ?? [])].length > 0 ? { zones: joined(zones, document.zones ?? []) } : {};
  return withObjects({ ...both, ...named }, 0, () => objects);
}

/** The template's own, then those of the chart under other names. */
function joined<T extends object>(first: readonly T[], second: readonly T[]): T[] {
  const names = new Set(first.map(nameOf));
  return [...first, ...second.filter((each) => !names.has(nameOf(each)))];
}
