/** Imports of SVG drawings. Nothing of a drawing is run, loaded or resolved. */
import { expect, test } from 'vitest';
import { codesOf, faultOf, greatestDistance, imported } from '../../support/imports/imported.ts';

const svg = (content: string, head = '') =>
  `<?xml version="1.0"?>${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 900 600">${content}</svg>`;

test('seats of every form, with the transforms around them, stand where they are drawn', () => {
  const { places, report } = imported(
    svg(`
      <defs><circle id="chair" r="8"/><symbol id="seat-symbol"><rect width="16" height="16"/></symbol></defs>
      <g transform="translate(100,50)">
        <circle data-row="A" data-seat="1" data-category="Front" cx="0" cy="0" r="8"/>
        <rect id="A-2" x="12" y="-8" width="16" height="16"/>
        <ellipse id="seat_A_3" cx="40" cy="0" rx="8" ry="7"/>
        <g transform="rotate(90) translate(0,-60)"><path id="seat-A-4" d="M-8,-8h16v16h-16z"/></g>
        <use xlink:href="#chair" x="80" y="0" data-row="A" data-seat="5"/>
        <use href="#seat-symbol" x="92" y="-8" width="16" height="16" id="seat_A_6"/>
        <g id="seat_A_7"><circle cx="120" cy="0" r="8"/><text x="120" y="0">7</text></g>
      </g>`),
  );
  const wanted = [1, 2, 3, 4, 5, 6, 7].map((n): [string, { x: number; y: number }] => [
    `A-${n}`,
    { x: 100 + (n - 1) * 20, y: 50 },
  ]);
  expect(places.size).toBe(7);
  expect(greatestDistance(places, wanted)).toBeLessThan(0.5);
  expect(report).toMatchObject({ format: 'svg', scale: 1, publishIssues: [], understood: { rows: 1, seats: 7 } });
});

test('groups name rows, sections and categories; outlines are sections; texts and shapes stay', () => {
  const seats = (y: number) =>
    [1, 2, 3].map((n) => `<circle data-seat="${n}" cx="${n * 20}" cy="${y}" r="8" fill="#ff0000"/>`).join('');
  const { document, places, report } = imported(
    svg(`
      <g data-section="Stalls" data-category="Front">
        <polygon id="outline-stalls" points="0,0 100,0 100,100 0,100"/>
        <g id="row-A">${seats(20)}</g><g data-row="B">${seats(50)}<text x="20" y="52" text-anchor="middle">1</text></g>
      </g>
      <g id="section-Box" class="wheelchair"><circle id="Box-C-1" cx="300" cy="20" r="8"/></g>
      <path id="lawn" data-capacity="30" data-label="Lawn" data-category="Front" d="M400,0 C450,0 450,50 400,50 Z"/>
      <rect id="stage" x="0" y="-60" width="100" height="40" fill="#dddddd"/>
      <text x="50" y="-40" font-size="14">Stage</text>
      <line x1="0" y1="0" x2="10" y2="10"/>`),
  );
  for (const label of ['A-1', 'A-3', 'B-2', 'C-1']) expect([...places.keys()], label).toContain(label);
  expect(places.get('C-1')!.accessibility).toBe(1);
  expect(report.understood).toMatchObject({
    sections: 2,
    rows: 3,
    seats: 7,
    areas: 1,
    places: 30,
    shapes: 1,
    texts: 1,
  });
  expect(document.categories[0]).toMatchObject({ key: 'Front', color: '#ff0000' });
  expect(codesOf(report)).toEqual(expect.arrayContaining(['seat_captions', 'lines', 'no_category']));
});

test('small drawings grow until their seats can be drawn', () => {
  const { places, report } = imported(
    svg([1, 2, 3].map((n) => `<circle id="A-${n}" cx="${n * 2}" cy="0" r="0.8"/>`).join('')),
  );
  expect(report.scale).toBe(10);
  expect(places.get('A-3')!.x - places.get('A-1')!.x).toBeCloseTo(40, 1);
});

test('ids that programs make are no seats', () => {
  const shapes = ['path-12', 'rect3713', 'circle_5', 'g-1', 'Group-12'].map(
    (id, n) => `<circle id="${id}" cx="${n * 20}" cy="9" r="8"/>`,
  );
  const { places, report } = imported(svg(`<circle id="B-1" cx="0" cy="50" r="8"/>${shapes.join('')}`));
  expect([...places.keys()]).toEqual(['B-1']);
  expect(codesOf(report)).toContain('nameless_shapes');
});

test('scripts, entities and addresses of a drawing have no effect', () => {
  const hostile = svg(
    `<script>globalThis.wasRun = true</script><style>@import url(https://evil.example/x.css);</style>
     <image href="https://evil.example/spy.png" width="10" height="10"/><image href="file:///etc/passwd" width="10" height="10"/>
     <use href="https://evil.example/seats.svg#a" id="A-1" onload="globalThis.wasRun = true"/><use href="#A-2" id="A-2" x="20"/>
     <foreignObject><body onload="globalThis.wasRun = true"/></foreignObject>
     <text x="0" y="90">&leak;</text><circle id="A-3" cx="40" cy="0" r="8"/>`,
    '<!DOCTYPE svg [<!ENTITY leak SYSTEM "file:///etc/passwd">]>',
  );
  const { document, places, report } = imported(hostile);
  expect('wasRun' in globalThis).toBe(false);
  expect(JSON.stringify(document)).not.toMatch(/evil|passwd|wasRun|root:/);
  expect([...places.keys()]).toEqual(['A-1', 'A-3']);
  expect(codesOf(report)).toEqual(
    expect.arrayContaining(['scripts', 'entities', 'entity_references', 'cyclic_use', 'unknown_use', 'image']),
  );
});

test('a billion laughs cost nothing, as entities and as uses', () => {
  const entities = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
  const uses = Array.from({ length: 30 }, (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`).join(
    '',
  );
  const since = performance.now();
  const { document, places } = imported(
    svg(
      `<circle id="u0" r="8"/>${uses}<use href="#u30" id="A-1"/><text x="0" y="99">&e20;</text>`,
      `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities}]>`,
    ),
  );
  expect(performance.now() - since).toBeLessThan(2_000);
  expect(places.size).toBe(1);
  expect(JSON.stringify(document).length).toBeLessThan(1e6);
});

test('deep nesting, numbers that are none, and broken markup get a clear fault or a note', () => {
  expect(faultOf(svg(`${'<g>'.repeat(300)}${'</g>'.repeat(300)}`))).toMatchObject({ code: 'too_large', line: 1 });
  expect(faultOf(svg('<g>'))).toMatchObject({ code: 'broken_xml' });
  expect(faultOf('<svg><circle id="A-1"')).toMatchObject({ code: 'broken_xml', line: 1 });
  expect(faultOf('<?xml version="1.0"?>\n<plan>\n</plan>')).toMatchObject({ code: 'unknown_format' });
  expect(faultOf(svg('<circle cx="1" cy="2" r="3"/>'))).toMatchObject({
    code: 'nothing_found',
    message: expect.stringContaining('data-row'),
  });
  const { places, report } = imported(
    svg(
      '<circle id="A-1" cx="NaN" cy="0" r="8"/><circle id="A-2" cx="20" r="1e999"/><path id="A-3" d="M nonsense"/><circle id="A-4" transform="matrix(1,2) spin(4)" cx="60" r="8"/>',
    ),
  );
  expect([...places.keys()]).toEqual(['A-1', 'A-4']);
  expect(codesOf(report)).toContain('seat_without_position');
});

test('a drawing of 200,000 shapes without seats, and a path of a million points, are bounded', () => {
  const path = `M0,0${'l1,1'.repeat(200_000)}z`;
  const { document } = imported(
    svg(`<circle id="A-1" r="8"/><path d="${path}"/>${'<rect width="1" height="1"/>'.repeat(20_000)}`),
  );
  expect(document.objects.length).toBeLessThan(6_000);
  expect(JSON.stringify(document).length).toBeLessThan(4e6);
});
