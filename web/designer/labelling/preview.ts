/** The texts that the map shows on seats while labels or numbers are only proposed. Pure. */
import type { ChartObject } from '@parterre/shared/charts/document';
import { seatNumberIn } from '@parterre/shared/charts/numbering';
import { isSeller, placesOf } from '@parterre/shared/charts/places';
import { idOf } from '../document/objects.ts';

/** By object id and seat index. A seat without a text keeps its own. */
export type Preview = ReadonlyMap<string, readonly (string | undefined)[]>;

/** `whole`: the whole label of each seat, for a new label of its row; else its number alone. */
export function previewOf(objects: readonly ChartObject[], form: 'whole' | 'number'): Preview {
  const preview = new Map<string, (string | undefined)[]>();
  for (const object of objects) {
    if (!isSeller(object) || object.type === 'gaArea') continue;
    const texts: (string | undefined)[] = [];
    for (const { index, label } of placesOf(object)) {
      texts[index] = form === 'whole' ? label : seatNumberIn(label, object.label);
    }
    preview.set(idOf(object), texts);
  }
  return preview;
}
