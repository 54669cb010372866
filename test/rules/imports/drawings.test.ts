/** Drawings as drawing programs save them: which names are seats, and which are the program's own. */
import { importChart } from '@parterre/shared/charts/imports/imports';
import type { SvgNode } from '@parterre/shared/charts/imports/svg/tree';
import { Boxes } from '@parterre/shared/charts/imports/svg/uses';
import { describe, expect, it, test } from 'vitest';
import { codesOf, imported } from '../../support/imports/imported.ts';
import { drawings, labelsOf } from '../../support/imports/theatres.ts';

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">${content}</svg>`;
const circle = (id: string, x: number, more = '') => `<circle id="${id}" cx="${x}" cy="50" r="8" ${more}/>`;
/** Two seats that every drawing of these tests has. */
const seats = circle('K-1', 0) + circle('K-2', 20);

const labelsIn = (content: string) => [...imported(svg(content)).places.keys()];

test.each(drawings)(
  '%s: the seats of a theatre are its seats, and nothing else is',
  (_, { bytes, stalls, balcony }) => {
    const { places, report, document } = imported(bytes.toString());
    expect([...places.keys()].sort()).toEqual(labelsOf(stalls, balcony).sort());
    expect(report).toMatchObject({ publishIssues: [], understood: { sections: 2, rows: 3, texts: 1 } });
    // Two neighbours stand 20 units apart, in the units of every program.
    const first = places.get(`${stalls}-B-1`)!;
    const second = places.get(`${stalls}-B-2`)!;
    expect(Math.hypot(second.x - first.x, second.y - first.y)).toBeCloseTo(20, 0);
    expect(document.objects.find(({ type }) => type === 'text')).toMatchObject({ text: 'STAGE' });
  },
);

describe('a group', () => {
  it.each(['id="Page-1"', 'id="XMLID_1_"', 'id="Ebene_1"', 'id="Artboard-2"', 'id="g10-5"', 'id="B2"', 'id="Boxes-7"'])(
    'with %s is not one seat when it holds seats',
    (attribute) => {
      expect(labelsIn(`<g ${attribute}>${seats}</g>`)).toEqual(['K-1', 'K-2']);
    },
  );

  it.each(['Capa 1', 'Livello 2', 'Laag 1', 'Camada 1', 'Слой 1', '图层 1', 'B-1'])(
    'that is the layer %s is no seat',
    (label) => {
      const layer = `<g inkscape:groupmode="layer" inkscape:label="${label}" id="layer1"><rect width="9" height="9"/></g>`;
      expect(labelsIn(layer + seats)).toEqual(['K-1', 'K-2']);
    },
  );

  it('with a seat drawn in parts is this seat', () => {
    const parts = '<rect id="Rectangle 1" width="16" height="16"/><circle id="Ellipse 3" cx="8" cy="8" r="4"/>';
    expect(labelsIn(`<g id="A-7">${parts}<text id="7">7</text></g>`)).toEqual(['A-7']);
  });

  it('with more than a seat has is no seat by the form of its id', () => {
    const many = '<rect width="9" height="9"/>'.repeat(50);
    expect(labelsIn(`${seats}<g id="Plan-1">${many}</g><g data-row="L" data-seat="1">${many}</g>`)).toEqual([
      'K-1',
      'K-2',
      'L-1',
    ]);
  });

  it('with the word block or section is a section', () => {
    const { document, places } = imported(
      svg(`<g id="block-104">${seats}</g><g id="Section_West">${circle('K-3', 90)}</g>`),
    );
    expect([...places.keys()].sort()).toEqual(['K-1', 'K-2', 'K-3']);
    const sections = document.objects.filter(({ type }) => type === 'section');
    expect(sections.map(({ label }) => label).sort()).toEqual(['104', 'West']);
  });

  it('with the word row has seats by their numbers', () => {
    const row = `<g id="Row_C"><circle id="1" r="8"/>${circle('_x32_', 20)}${circle('3', 40)}</g>`;
    expect(labelsIn(row)).toEqual(['C-1', 'C-2', 'C-3']);
    expect(labelsIn(`<g id="Reihe-C">${circle('1', 20)}</g>`)).toEqual(['C-1']);
  });
});

test('decoration with the ids of programs, and things with numbers, are not sold, and named', () => {
  const ids = [
    'rect10-2',
    'path836-3-6',
    'Rectangle 5',
    'Union 3',
    'Star_1',
    'Stage-1',
    'Exit_2',
    'Rechteck_5',
    'use12-5',
  ];
  const { places, report } = imported(svg(seats + ids.map((id, i) => circle(id, 100 + i * 20)).join('')));
  expect([...places.keys()]).toEqual(['K-1', 'K-2']);
  const note = report.notes.find(({ code }) => code === 'nameless_shapes')!;
  expect(note.message).toMatch(/^9 shapes .*"rect10-2", "path836-3-6", "Rectangle 5", "Union 3", "Star_1", and 4 more/);
  expect(note).toMatchObject({ source: 'rect10-2', objectId: 'shape-1' });
});

test('shapes without any name are told by their kind and number', () => {
  const { report } = imported(
    svg(`${seats}<rect width="9" height="9"/><path d="M0,0h9v9z"/><rect width="9" height="9"/>`),
  );
  const note = report.notes.find(({ code }) => code === 'nameless_shapes')!;
  expect(note.message).toContain('3 shapes');
  expect(note.message).toContain('"rect 1", "path 1", "rect 2"');
});

test('rows with the names of letters are rows, G too', () => {
  const labels = [...'EFGH'].flatMap((row) => [1, 2].map((seat) => `${row}-${seat}`));
  expect(labelsIn(labels.map((id, i) => circle(id, i * 20)).join(''))).toEqual(labels);
});

test('rows that only ids tell are listed, and rows of data attributes are not', () => {
  const told = '<circle data-row="L" data-seat="1" cx="0" cy="90" r="8"/>';
  const { report } = imported(svg(seats + told + circle('seat_M_1', 0)));
  const notes = report.notes.filter(({ code }) => code === 'row_from_ids');
  expect(notes).toMatchObject([{ kind: 'ambiguous', source: 'row K', objectId: 'row-1' }]);
});

describe('names of Illustrator', () => {
  it('are read without their escapes', () => {
    expect(labelsIn(circle('A_x5F_12', 0) + circle('seat_x5F_A_x5F_13', 20))).toEqual(['A-12', 'A-13']);
  });

  it.each([
    ['A-12_1_', 'circle'],
    ['A-12_2', 'circle'],
    ['A-12-3', 'circle'],
    ['A-12-Copy', 'circle'],
  ])('a copy of A-12 with the id %s is another A-12, which stops publishing', (id) => {
    const outcome = importChart(Buffer.from(svg(circle('A-11', 0) + circle('A-12', 20) + circle(id, 40))), {
      format: null,
      name: null,
    });
    if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
    expect(outcome.report.publishIssues).toMatchObject([{ message: expect.stringMatching(/^Duplicate label: A-12/) }]);
    const note = outcome.report.notes.find(({ code }) => code === 'numbered_names');
    expect(note).toMatchObject({ kind: 'ambiguous', source: 'row A', message: expect.stringContaining(`"${id}"`) });
  });

  it('are taken from data-name before the id', () => {
    expect(labelsIn(circle('A-1-2', 0, 'data-name="A-2"') + circle('A-1', 20))).toEqual(['A-2', 'A-1']);
  });

  it('keep the numbers of rows in sections', () => {
    const inGroup = `<g id="A-1">${circle('A-1-1', 0)}${circle('A-1-2', 20)}</g><g id="A-2">${circle('A-2-1', 40)}</g>`;
    expect(labelsIn(inGroup)).toEqual(['1-1', '1-2', '2-1']);
    const even = `<path id="Loge" d="M0,0h4v4z"/>${circle('Loge-2', 0)}${circle('Loge-4', 20)}`;
    expect(labelsIn(even)).toEqual(['Loge-2', 'Loge-4']);
  });
});

describe('numbers as texts', () => {
  /** The text at the left of a seat, as Inkscape writes it. */
  const numbered = (number: string, x: number, y: number, more = '') =>
    `<circle id="path${x}${y}" cx="${x}" cy="${y}" r="8" ${more}/><text x="${x - 3}" y="${y + 3}" style="font-size:8px"><tspan>${number}</tspan></text>`;
  const layer = (name: string, content: string) =>
    `<g inkscape:groupmode="layer" inkscape:label="${name}" id="layer-${name}">${content}</g>`;
  const row = (name: string, y: number, more = '') =>
    `<g inkscape:label="Reihe ${name}" id="g${y}">${[1, 2, 3].map((n) => numbered(String(n), n * 22, y, more)).join('')}</g>`;

  it('in layers and groups are the seats of sections and rows', () => {
    const stage = '<rect id="rect1" x="0" y="0" width="90" height="20"/><text x="30" y="12">Bühne</text>';
    const { places, report, document } = imported(
      svg(layer('Parkett', stage + row('A', 50) + row('B', 75)) + layer('Rang', row('A', 150))),
    );
    expect([...places.keys()]).toEqual(
      ['Parkett-A', 'Parkett-B', 'Rang-A'].flatMap((name) => [1, 2, 3].map((n) => `${name}-${n}`)),
    );
    expect(places.get('Rang-A-2')).toMatchObject({ x: expect.closeTo(44, 1), y: expect.closeTo(150, 1) });
    expect(report.publishIssues).toEqual([]);
    expect(report.understood).toMatchObject({ sections: 2, shapes: 1, texts: 1 });
    expect(document.objects.find(({ type }) => type === 'text')).toMatchObject({ text: 'Bühne' });
  });

  it('with the row in the text need no groups', () => {
    const seats = [1, 2, 3].map((n) => numbered(`B${n}`, n * 22, 50)).join('');
    expect(labelsIn(layer('Layer 1', seats))).toEqual(['B-1', 'B-2', 'B-3']);
  });

  it('that stand twice without a row are no seats', () => {
    const seats = [50, 75].map((y) => [1, 2, 3].map((n) => numbered(String(n), n * 22, y)).join('')).join('');
    const outcome = importChart(Buffer.from(svg(layer('Layer 1', seats))), { format: null, name: null });
    expect(outcome).toMatchObject({ fault: { code: 'nothing_found', message: expect.stringContaining('Row A') } });
  });
});

describe('groups with names', () => {
  const group = (id: string, content: string) => `<g id="${id}">${content}</g>`;
  const row = (n: number, y: number) =>
    `<g id="Reihe_${n}" transform="translate(0,${y})">${circle('1', 0)}${circle('2', 20)}</g>`;
  const sectionsIn = (content: string) =>
    imported(svg(content)).document.objects.flatMap(({ type, label }) => (type === 'section' ? [label] : []));

  it('are sections', () => {
    expect(sectionsIn(group('Parkett', row(1, 50)) + group('Rang_Links', row(2, 90)))).toEqual([
      'Parkett',
      'Rang Links',
    ]);
    expect(sectionsIn(group('Hochparkett', row(1, 50)))).toEqual(['Hochparkett']);
    expect(sectionsIn(group('Nord', row(1, 50)) + group('Süd', row(2, 90)))).toEqual(['Nord', 'Süd']);
    const nested = group('Parkett', group('links', row(1, 50))) + group('Rang', group('links', row(2, 90)));
    expect(sectionsIn(nested)).toEqual(['Parkett links', 'Rang links']);
  });

  it('are none around the whole house, or by a word for all seats', () => {
    expect(sectionsIn(group('Schauspielhaus', row(1, 50) + row(2, 90)))).toEqual([]);
    expect(sectionsIn(group('Sitzplätze', row(1, 50)) + group('Ebene_2', row(2, 90)))).toEqual([]);
  });
});

describe('colours of seats without categories', () => {
  it('become categories, also those of groups and style sheets', () => {
    const { document, places, report } = imported(
      svg(
        `<style>.b{fill:#0000ff}</style>${circle('A-1', 0, 'fill="red"')}${circle('A-2', 20, 'class="b"')}` +
          '<g id="A-3"><rect x="32" y="42" width="16" height="16" class="b"/><text x="36" y="52">3</text></g>',
      ),
    );
    expect(document.categories).toEqual([
      { key: 'colour-ff0000', label: 'Colour #ff0000', color: '#ff0000' },
      { key: 'colour-0000ff', label: 'Colour #0000ff', color: '#0000ff' },
    ]);
    expect(['A-1', 'A-2', 'A-3'].map((label) => places.get(label)!.categoryKey)).toEqual([
      'colour-ff0000',
      'colour-0000ff',
      'colour-0000ff',
    ]);
    expect(codesOf(report)).toContain('category_from_colour');
  });

  it('say nothing where all seats have one, or a seat has a category', () => {
    const keysIn = (content: string) => imported(svg(content)).document.categories.map(({ key }) => key);
    expect(keysIn(circle('A-1', 0, 'fill="red"') + circle('A-2', 20, 'fill="red"'))).toEqual(['uncategorised']);
    const told = circle('A-1', 0, 'fill="red" data-category="c"') + circle('A-2', 20, 'fill="blue"');
    expect(keysIn(told)).toEqual(['c', 'uncategorised']);
  });
});

describe('the order of ids', () => {
  const at = (id: string, x: number, y: number) => `<circle id="${id}" cx="${x}" cy="${y}" r="8"/>`;
  const hall = (idOf: (row: number, seat: number, zone: number) => string, step = { seat: 22, row: 25 }) =>
    [1, 2].flatMap((zone) =>
      [1, 2, 3].flatMap((row) =>
        [1, 2, 3, 4, 5].map((seat) => at(idOf(row, seat, zone), zone * 500 + seat * step.seat, row * step.row)),
      ),
    );
  const rows = 'ABC';

  it('is that of the seats that stand beside each other', () => {
    for (const idOf of [
      (row: number, seat: number, zone: number) => `seat-${seat}-${rows[row - 1]}-${zone}`,
      (row: number, seat: number, zone: number) => `seat-${seat}-${row}-${zone}`,
    ]) {
      const { document, places, report } = imported(svg(hall(idOf).join('')));
      expect(places.size).toBe(30);
      const sections = document.objects.filter(({ type }) => type === 'section');
      expect(sections.map(({ label }) => label)).toEqual(['1', '2']);
      expect(report.understood.rows).toBe(6);
      expect(report.notes.find(({ code }) => code === 'order_of_ids')?.message).toContain('runs along neighbours');
    }
  });

  it('stays where rows are only a little nearer than seats', () => {
    const idOf = (row: number, seat: number, zone: number) => `seat-${zone}-${row}-${seat}`;
    const { report } = imported(svg(hall(idOf, { seat: 30, row: 20 }).join('')));
    expect(report.understood).toMatchObject({ rows: 6, seats: 30 });
  });

  it('with a clear form needs no guess', () => {
    const idOf = (row: number, seat: number, zone: number) => `Z${zone}-${rows[row - 1]}-${seat}`;
    expect(codesOf(imported(svg(hall(idOf).join(''))).report)).not.toContain('order_of_ids');
  });

  it.each(['seat-1-A', '1A', 'R1S1', 'box-Odd-1-x'])('beside seats with plain names, %s is decoration', (id) => {
    expect(labelsIn(seats + circle(id, 90))).toEqual(['K-1', 'K-2']);
  });

  it('of single shapes is no order', () => {
    for (const ids of [['1A'], ['3D', '7C'], ['12-A', '40-X', '7-K']]) {
      const outcome = importChart(Buffer.from(svg(ids.map((id, i) => circle(id, i * 300)).join(''))), {
        format: null,
        name: null,
      });
      expect(outcome, ids.join()).toMatchObject({ fault: { code: 'nothing_found' } });
    }
  });
});

describe('style sheets', () => {
  const styled = (css: string, content: string) => svg(`<defs><style>${css}</style></defs>${content}`);

  it('hide layers and colour seats', () => {
    const { places, document, report } = imported(
      styled(
        '.st0{display:none} .st1,.st2{fill:#ff0000;stroke:#000} #k9 { visibility: hidden !important }',
        `<g class="st0">${circle('Z-1', 0)}</g>${circle('k9', 10)}<circle id="A-1" class="st2" data-category="Front" r="8"/>`,
      ),
    );
    expect([...places.keys()]).toEqual(['A-1']);
    expect(document.categories[0]).toMatchObject({ key: 'Front', color: '#ff0000' });
    expect(report.notes.find(({ code }) => code === 'hidden')?.message).toMatch(/^2 hidden elements/);
  });

  it('count less than the style of an element, and more than its attributes', () => {
    const { document } = imported(
      styled(
        'circle{fill:#111111} .a{fill:#00ff00}',
        `${circle('A-1', 0, 'class="a" fill="#ff0000" data-category="Sheet"')}${circle('A-2', 20, 'class="a" style="fill:#0000ff" data-category="Style"')}`,
      ),
    );
    expect(document.categories.map(({ key, color }) => [key, color])).toEqual([
      ['Sheet', '#00ff00'],
      ['Style', '#0000ff'],
    ]);
  });

  it('with rules that are not read are told', () => {
    const { report } = imported(styled('g > .b{display:none} @media print{.c{display:none}}', seats));
    expect(report.notes.find(({ code }) => code === 'style_rules')?.message).toMatch(/^2 style rules/);
  });
});

test('a standing area keeps its section, and areas without a label differ', () => {
  const { document, report } = imported(
    svg(
      '<rect data-capacity="50" data-section="Floor" data-category="GA" width="90" height="90"/><rect data-capacity="20" data-category="GA" x="200" width="90" height="90"/>',
    ),
  );
  const areas = document.objects.filter(({ type }) => type === 'gaArea');
  expect(areas.map(({ label }) => label)).toEqual(['rect 1', 'rect 2']);
  expect(document.objects.filter(({ type }) => type === 'section').map(({ label }) => label)).toEqual(['Floor']);
  expect(report.publishIssues).toEqual([]);
  expect(codesOf(report).filter((code) => code === 'no_label')).toHaveLength(2);
  const named = imported(svg('<rect id="GA-1" data-capacity="50" data-category="c" width="90" height="90"/>'));
  expect(named.report.understood).toMatchObject({ seats: 0, areas: 1, places: 50 });
});

test('a capacity that is no number is told', () => {
  const { report } = imported(svg(`${seats}<rect id="Pit" data-capacity="many" width="9" height="9"/>`));
  expect(report.notes.find(({ code }) => code === 'unreadable_capacity')?.source).toBe('Pit');
});

test('accessibility is read in several languages, and unknown words are told', () => {
  const { places, report } = imported(
    svg(
      circle('A-1', 0, 'data-accessible="ja"') +
        circle('A-2', 20, 'data-accessible="Rollstuhl"') +
        circle('A-3', 40, 'data-accessible="nein"') +
        circle('A-4', 60, 'class="seat not-accessible"') +
        circle('A-5', 80, 'class="seat accessible"') +
        circle('A-6', 100, 'data-accessible="levitation"'),
    ),
  );
  expect([...places.values()].map(({ accessibility }) => accessibility)).toEqual([1, 1, 0, 0, 1, 0]);
  expect(report.notes.find(({ code }) => code === 'unknown_accessibility')?.message).toContain('"levitation"');
});

describe('hostile drawings', () => {
  it('with a chain of 20,000 uses in reverse order end with a note', () => {
    const uses = Array.from({ length: 20_000 }, (_, i) => `<use id="u${20_000 - i}" href="#u${19_999 - i}"/>`).join('');
    const { report } = imported(svg(`${seats}${uses}<circle id="u0" r="8"/>`));
    expect(codesOf(report)).toContain('deep_use');
  });

  it('with 300,000 elements in one group are read', () => {
    const group: SvgNode = { name: 'g', attributes: {}, children: [], text: '' };
    for (let i = 0; i < 300_000; i++) group.children.push({ name: 'g', attributes: {}, children: [], text: '' });
    expect(new Boxes(group).pointsOf(group)).toEqual([]);
  });

  it.each([
    ['a transform of letters', `<g transform="${'a'.repeat(400_000)}">${seats}</g>`],
    ['a length of spaces', `${seats}<rect width="1${' '.repeat(400_000)}x" height="1"/>`],
    ['an id of hyphens', `${seats}<g id="section-${'-'.repeat(400_000)}row"/><g id="${'_x'.repeat(200_000)}"/>`],
    ['a style sheet of braces', `<style>${'a{b:{/*'.repeat(20_000)}</style>${seats}`],
    ['a style sheet of nested rules', `<style>${'@media x{'.repeat(50_000)}</style>${seats}`],
    ['a style sheet of quotes', `<style>${'a{b:"'.repeat(80_000)}</style>${seats}`],
    ['a style of semicolons', `${seats}<rect style="${'; '.repeat(200_000)}" width="1" height="1"/>`],
  ])('with %s are read in two seconds', (_, content) => {
    const since = performance.now();
    expect(labelsIn(content)).toEqual(['K-1', 'K-2']);
    expect(performance.now() - since).toBeLessThan(2_000);
  });
});
