/** The npm package tells the same as the element: its types, its events, its import on a server. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as embed from '../../../web/designer/embed/embed.ts';
import type { DesignerMessage } from '../../../web/designer/embed/messages.ts';
import type * as told from '../../../web/designer/package/types/index.d.ts';

type Detail<Type> = Omit<Extract<DesignerMessage, { type: Type }>, 'source' | 'asked'>;
type Takes<Wanted, Given extends Wanted> = Given;
/** Each side takes the values of the other, so the types that are written by hand are those of the sources. */
type SameTypes = [
  Takes<told.DesignerEvents['parterre-ready'], Detail<'ready'>>,
  Takes<told.DesignerEvents['parterre-dirty'], Detail<'dirty'>>,
  Takes<told.DesignerEvents['parterre-saved'], Detail<'saved'>>,
  Takes<told.DesignerEvents['parterre-published'], Detail<'published'>>,
  Takes<told.DesignerEvents['parterre-error'], Detail<'error'>>,
  Takes<`parterre-${DesignerMessage['type']}`, keyof told.DesignerEvents>,
  Takes<keyof told.DesignerEvents, `parterre-${DesignerMessage['type']}`>,
  Takes<told.ParterreDesignerElement, embed.ParterreDesignerElement>,
];

test('an import without a browser defines nothing and fails nowhere', () => {
  const sameTypes: SameTypes | null = null;
  expect([sameTypes, globalThis.window]).toEqual([null, undefined]);
  expect(Object.keys(embed)).toEqual(['ParterreDesignerElement']);
});

test('the page on designer sessions names every attribute, method, event and feature', async () => {
  const page = readFileSync(new URL('../../../docs/designer-sessions.md', import.meta.url), 'utf8');
  const { features } = await import('../../../web/designer/document/permissions.ts');
  const events = ['ready', 'dirty', 'saved', 'published', 'error'].map((type) => `parterre-${type}`);
  for (const name of [...embed.ParterreDesignerElement.observedAttributes, ...events, 'save()', 'renew(', 'focus()'])
    expect(page).toContain(`\`${name}`);
  for (const feature of features) expect(page).toContain(`\`${feature}\``);
});
