/** The form of a template: named sizes with bounds, and a pure function that draws a chart of these sizes. */
import type { Category, ChartDocument, ChartObject, Zone } from '../document.ts';
import type { Point } from '../plan.ts';

export type Size = { name: string; label: string; min: number; max: number; default: number };

/** By size name. */
export type Sizes<Name extends string = string> = Readonly<Record<Name, number>>;

/** The drawn part of a chart document. */
export type Drawing = {
  focalPoint: Point;
  categories: Category[];
  zones?: Zone[];
  objects: ChartObject[];
};

export type Template = {
  id: string;
  name: string;
  description: string;
  sizes: readonly Size[];
  /** A chart that publishes as it is. `sizes` has every size of the template, within its bounds. */
  draw(sizes: Sizes): ChartDocument;
};

type Definition<Name extends string> = {
  id: string;
  name: string;
  description: string;
  /** In the order of a form. */
  sizes: Readonly<Record<Name, Omit<Size, 'name'>>>;
  draw(sizes: Sizes<Name>): Drawing;
};

export function defineTemplate<Name extends string>(definition: Definition<Name>): Template {
  const { id, name, description, draw } = definition;
  const entries = Object.entries(definition.sizes) as [Name, Omit<Size, 'name'>][];
  return {
    id,
    name,
    description,
    sizes: entries.map(([size, bounds]) => ({ name: size, ...bounds })),
    draw(sizes) {
      const drawing = draw(sizes);
      const isSimple = drawing.objects.every(({ type }) => type !== 'table' && type !== 'booth' && type !== 'gaArea');
      const venueType = isSimple ? 'SIMPLE' : 'MIXED';
      return { version: 1, name, venueType, ...drawing, template: { id, sizes: { ...sizes } } };
    },
  };
}
