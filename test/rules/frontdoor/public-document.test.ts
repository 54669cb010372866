/** The public file of a chart: what it leaves out while parts are hidden. Names of hidden parts contain "secret". */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Category, ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { describe, expect, it } from 'vitest';
import { publicDocument, sectionIdsOf } from '../../../services/frontdoor/src/caches/rules/public-document.ts';
import { chart, rectangle, row, seatCategory, section } from '../../support/charts.ts';

const shown = (document: ChartDocument, hidden: string[]) =>
  publicDocument(document, compilePlan(document, 'hash'), hidden);
const textAt = (x: number, y: number, label: string, more: object = {}) =>
  ({ type: 'text', id: `text-${label}`, label, x, y, ...more }) as ChartObject;
const category = (key: string, more: Partial<Category> = {}): Category => ({
  ...seatCategory,
  key,
  label: key,
  ...more,
});

const front = section({ id: 'front', label: 'Front', outline: rectangle(-10, -10, 300, 40) });
const secret = section({
  id: 'secret-box',
  label: 'secret lounge',
  outline: rectangle(-10, 90, 300, 40),
  zone: 'secret-zone',
});
const hiddenRow = row({ id: 'secret-row', label: 'secret', origin: { x: 0, y: 100 }, categoryKey: 'secret-vip' });

const house = chart(
  [
    front,
    secret,
    row({ overrides: [{ index: 0, accessibility: ['companion'], companionOf: 'secret-1' }] }),
    hiddenRow,
    textAt(50, 0, 'Bar'),
    textAt(50, 100, 'secret bar'),
    textAt(500, 500, 'secret lounge'),
    textAt(500, 520, 'Cloakroom', { sectionId: 'secret-box' }),
    {
      type: 'decorImage',
      id: 'picture',
      url: 'https://a.example/secret.png',
      center: { x: 60, y: 110 },
    } as ChartObject,
    { type: 'shape', id: 'carpet', label: 'secret carpet', points: rectangle(0, 95, 40, 10) } as ChartObject,
  ],
  {
    categories: [
      category('seat', {
        tiers: [
          { id: 'adult', name: 'Adult', price: 20 },
          { id: 'secret-tier', name: 'A', price: 9, applicability: { accessibility: ['wheelchair'] } },
          { id: 'some', name: 'B', price: 8, applicability: { seatLabels: ['A-1', 'secret-2'] } },
          { id: 'secret-some', name: 'C', price: 7, applicability: { seatLabels: ['secret-2'] } },
        ],
      }),
      category('secret-vip'),
    ],
    zones: [{ id: 'secret-zone', label: 'secret floor' }],
    backOffice: { note: 'secret' },
    template: { name: 'secret theatre', rows: 40 },
    theme: { name: 'secret' },
  } as Partial<ChartDocument>,
);

describe('the public document', () => {
  it('has no byte of a hidden section, nor of anything that only the section uses', () => {
    const document = shown(house, ['secret-box']);
    expect(JSON.stringify(document)).not.toMatch(/secret/);
    expect(document.objects.map((object) => ('id' in object ? object.id : object.type))).toEqual([
      'front',
      'row-a',
      'text-Bar',
    ]);
    expect(document.categories.map(({ key }) => key)).toEqual(['seat']);
    expect(document.categories[0]!.tiers!.map(({ id }) => id)).toEqual(['adult', 'some']);
    expect(sectionIdsOf(document)).toEqual(['front']);
  });

  it('hides a zone like its sections, and everything again when it is hidden again', () => {
    const first = JSON.stringify(shown(house, ['secret-zone']));
    expect(first).not.toMatch(/secret/);
    expect(JSON.stringify(shown(house, []))).toMatch(/secret/);
    expect(JSON.stringify(shown(house, ['secret-zone']))).toBe(first);
  });

  it('is the whole document while nothing is hidden, without the own changes of the event', () => {
    const changed = { ...house, eventAdjustments: [{ label: 'A-1' }] } as ChartDocument;
    expect(shown(changed, [])).toEqual(house);
  });

  it('keeps what visible parts use too', () => {
    const [visible, hidden] = [row({ id: 'a' }), row({ id: 'b', label: 'B', origin: { x: 0, y: 100 } })];
    const document = chart([front, secret, visible, hidden, textAt(0, 60, 'Stage')], {
      zones: [
        { id: 'secret-zone', label: 'Zone' },
        { id: 'all', label: 'All' },
      ],
      categories: [category('seat'), category('unused')],
    });
    (document.objects[0] as { zone?: string }).zone = 'all';
    const found = shown(document, ['secret-box']);
    expect(found.categories.map(({ key }) => key)).toEqual(['seat']);
    expect(found.zones!.map(({ id }) => id)).toEqual(['all']);
    expect(found.objects).toHaveLength(3);
  });

  it('leaves out a floor whose seats are all hidden, and mirrors the first floor that is left', () => {
    const floor = (id: string, objects: ChartObject[]) => ({ id, name: id, objects, focalPoint: { x: 0, y: 0 } });
    const [below, above] = [
      [secret, hiddenRow, textAt(900, 900, 'Stairs')],
      [front, row()],
    ];
    const document = chart(below, {
      floors: [floor('secret cellar', below), floor('Ground', above), floor('Foyer', [textAt(0, 0, 'Coats')])],
      categories: [category('seat'), category('secret-vip')],
      zones: [{ id: 'secret-zone', label: 'secret floor' }],
    });
    const found = shown(document, ['secret-box']);
    expect(found.floors!.map(({ id }) => id)).toEqual(['Ground', 'Foyer']);
    expect(found.objects).toEqual(found.floors![0]!.objects);
    expect(JSON.stringify(found)).not.toMatch(/secret|Stairs/);
  });

  it('does not tell how many pieces a row has that is partly hidden', () => {
    const piece = (componentIndex: number) => ({
      kind: 'segmented-row-v1',
      groupId: 'group',
      componentIndex,
      componentCount: 2,
      boundaryBefore: componentIndex === 0 ? 'start' : 'continuous',
    });
    const document = chart([
      front,
      secret,
      row({ id: 'a', segmentedRow: piece(0) }),
      row({ id: 'b', label: 'B', origin: { x: 0, y: 100 }, segmentedRow: piece(1) }),
    ]);
    const found = shown(document, ['secret-box']).objects.at(-1) as { segmentedRow: object };
    expect(found.segmentedRow).toEqual({
      kind: 'segmented-row-v1',
      groupId: 'group',
      componentIndex: 0,
      boundaryBefore: 'start',
    });
    expect(shown(document, []).objects).toEqual(document.objects);
  });
});
