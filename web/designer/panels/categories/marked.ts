/** The paint of the brush in use by its name, and the number of places that have it already. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Words } from '../../messages/words.ts';
import { tiersIn } from '../../painting/applicability.ts';
import { countsOf } from '../../painting/counts.ts';
import type { PaintWhat } from '../../painting/painting.ts';
import { tierGuests } from '../../painting/tier-places.ts';
import type { Panel } from '../host.ts';

export function markedPlaces(panel: Panel): TemplateResult | typeof nothing {
  const what = panel.painting();
  const words = panel.words();
  const marked = what && markedBy(panel, words, what);
  return marked ? html`<p class="marked">${words.text('brush.marked', marked)}</p>` : nothing;
}

type Marked = { name: string; count: number };

function markedBy({ editor, labels }: Panel, { text }: Words, what: PaintWhat): Marked | null {
  const { document } = editor;
  const counts = countsOf(document);
  switch (what.kind) {
    case 'category': {
      const category = document.categories.find(({ key }) => key === what.key);
      return category ? { name: category.label, count: counts.categories.get(what.key) ?? 0 } : null;
    }
    case 'accessibility':
      return { name: text(`kind.${what.accessibility}`), count: counts.kinds[what.accessibility] };
    case 'restrictedView':
      return { name: text('sale.restrictedView'), count: counts.restricted };
    case 'way':
      return { name: text(`sale.${what.way}`), count: counts[what.way] };
    case 'view':
      return { name: text('sale.view'), count: counts.views };
    case 'tier': {
      const found = tiersIn(document).find((each) => each.category.key === what.category && each.tier.id === what.tier);
      if (!found) return null;
      return { name: found.tier.name, count: tierGuests(document, found, (named) => labels().objectsWith(named)) };
    }
  }
}
