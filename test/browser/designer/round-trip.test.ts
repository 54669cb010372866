/**
 * A document that goes to the server, through the designer's page and back is the same document: after edits that are
 * taken back step by step, after edits that are made undone by hand, and after a look alone.
 * test/web/designer/documents has the same property for many documents, without a page.
 */
import { afterEach, expect, test } from 'vitest';
import type { ChartObject } from '../../../shared/src/charts/document.ts';
import { everyKind, onTwoFloors } from '../../web/designer/documents/every-kind.ts';
import { describeInBrowser, PATIENCE_MS } from '../box-office.ts';
import { type Chart, People, type Person } from './people.ts';

describeInBrowser('a document through the designer', { timeout: 300_000 }, (office) => {
  const people = new People(office);
  afterEach(() => people.close());

  test('comes back as it was, with edits of both of its floors taken back', async () => {
    const chart = await people.newChart(onTwoFloors(everyKind));
    const first = await people.stored(chart);
    const ann = await people.drawing(chart);
    await ann.state('Saved');
    // A look saves nothing.
    await ann.look();
    expect(await ann.document()).toEqual(first.doc);
    expect((await people.stored(chart)).meta.updatedAt).toBe(first.meta.updatedAt);

    // Edits of the page's own commands, saved, and taken back one by one.
    await ann.page.locator('.map').focus();
    const keys = ['ControlOrMeta+a', 'ArrowRight', '.', 'Shift+h', 'ControlOrMeta+d', 'Delete'];
    for (const floor of [0, 1]) {
      await ann.page.evaluate(`document.querySelector('#designer').editor.showFloor(${floor})`);
      for (const key of keys) await ann.page.keyboard.press(key);
    }
    await saved(chart, ann);
    const changed = await people.stored(chart);
    for (const floor of [0, 1]) expect(changed.doc.floors[floor]).not.toEqual(first.doc.floors[floor]);
    for (const _ of [...keys, ...keys]) await ann.page.keyboard.press('ControlOrMeta+z');
    expect(await ann.page.evaluate(`document.querySelector('#designer').editor.canUndo`)).toBe(false);
    await saved(chart, ann);
    const back = await people.stored(chart);
    expect(back.doc).toEqual(first.doc);
    expect(back.meta.updatedAt).toBeGreaterThan(changed.meta.updatedAt);
    expect(ann.faults).toEqual([]);
  });

  test('a change that is typed and typed back leaves the document as it was', async () => {
    const chart = await people.newChart(everyKind);
    const first = await people.stored(chart);
    const ann = await people.drawing(chart);
    await ann.page.evaluate(
      `document.querySelector('#designer').editor.select({ objects: new Set(['b1']), seats: new Map() })`,
    );
    const label = ann.page.getByLabel('Label', { exact: true });
    for (const text of ['Kiosk', 'Booth']) {
      await label.fill(text);
      await label.press('Enter');
      await saved(chart, ann);
      const { doc } = await people.stored(chart);
      expect(doc.objects.find(({ id }: ChartObject) => id === 'b1').label).toBe(text);
    }
    expect((await people.stored(chart)).doc).toEqual(first.doc);
  });

  /** Waits until the server has the page's document. */
  async function saved(chart: Chart, ann: Person): Promise<void> {
    const document = await ann.document();
    const stored = async () => (await people.stored(chart)).doc;
    await expect.poll(stored, { timeout: PATIENCE_MS }).toEqual(document);
    await ann.state('Saved');
  }
});
