/** CSV files as spreadsheets write them in many countries. */
import { layOut } from '@parterre/shared/charts/imports/formats/csv-layout';
import { type ImportEncoding, importChart } from '@parterre/shared/charts/imports/imports';
import type { FoundRow } from '@parterre/shared/charts/imports/venue';
import { describe, expect, it, test } from 'vitest';
import { codesOf, imported, placesIn } from '../../support/imports/imported.ts';
import { labelsOf, spreadsheets } from '../../support/imports/theatres.ts';

const labelsIn = (text: string) => [...imported(text).places.keys()];

test.each(spreadsheets)('%s: the seats of a theatre, and the first seat of each row for wheelchairs', (_, theatre) => {
  const { bytes, stalls, balcony } = theatre;
  const outcome = importChart(bytes, { format: null, name: null });
  if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
  const places = placesIn(outcome.document);
  expect([...places.keys()].sort()).toEqual(labelsOf(stalls, balcony).sort());
  for (const [label, { accessibility }] of places)
    expect([label, accessibility]).toEqual([label, label.endsWith('-1') ? 1 : 0]);
  expect(outcome.report).toMatchObject({ publishIssues: [], understood: { sections: 2, rows: 3 } });
  const first = places.get(`${stalls}-A-1`)!;
  const second = places.get(`${stalls}-A-2`)!;
  expect([second.x - first.x, second.y - first.y].map(Math.round)).toEqual([20, 0]);
});

describe('columns', () => {
  it.each([
    ['Nr;Reihe;Platz', '9;A;5'],
    ['Platznummer;Reihennummer', '5;A'],
    ['Reihe;Platz-Nr', 'A;5'],
    ['Reihe;Sitz-Nr.', 'A;5'],
    ['Reihe;Sitznummer', 'A;5'],
    ['Rij;Stoel', 'A;5'],
    ['Fila;Posto', 'A;5'],
    ['Fila;Butaca', 'A;5'],
    ['Fila;Lugar', 'A;5'],
    ['Ligne;Place', 'A;5'],
    ['Rang;Siège', 'A;5'],
    ['Rad;Plats', 'A;5'],
    ['Ряд;Место', 'A;5'],
    ['Rangée;N° de place', 'A;5'],
    ['Row;Seat ID', 'A;5'],
    ['Row;Seat Label', 'A;5'],
    ['Row;Seat Label', 'A;A-5'],
    ['Row;Seat', 'A;A-5'],
    ['Seat Label;Colour', 'A-5;red'],
    ['Row;Seat;Seat ID', 'A;5;10233'],
    ['Row;Seat;Seat Label', 'A;5;5'],
    ['Row;Seat;Seat Label', 'VIP;9;A-5'],
    ['列;席', 'A;5'],
  ])('%s', (header, line) => {
    expect(labelsIn(`${header}\n${line}\n`)).toEqual(['A-5']);
  });

  it('of whole labels are numbers where the file has no others', () => {
    const text = (header: string) => `${header}\nL,1,1\nL,1,2\nL,2,1\n`;
    expect(labelsIn(text('Section,Row,Seat Label'))).toEqual(['1-1', '1-2', '2-1']);
  });

  it('with a tier beside the row name the section, and say so', () => {
    const { places, document, report } = imported('Rang;Reihe;Platz\nBalkon;A;1\nBalkon;B;1\n');
    expect([...places.keys()]).toEqual(['A-1', 'B-1']);
    expect(document.objects.find(({ type }) => type === 'section')).toMatchObject({ label: 'Balkon' });
    expect(report.notes.find(({ code }) => code === 'column_meaning')).toMatchObject({
      kind: 'ambiguous',
      source: 'Rang',
    });
  });

  it('of two with one meaning name the other', () => {
    const { report } = imported('Nr;Reihe;Platz\n9;A;5\n');
    expect(report.notes.find(({ code }) => code === 'two_columns')).toMatchObject({ kind: 'ambiguous', source: 'Nr' });
  });

  it('of positions have many names', () => {
    const { places } = imported('Row,Seat,X Coordinate,Y-Koordinate\nA,1,0,7\nA,2,20,7\n');
    expect(places.get('A-2')).toMatchObject({ x: expect.closeTo(20, 1), y: expect.closeTo(7, 1) });
  });
});

describe('positions', () => {
  it('of a row with a seat without x and y are laid out, and the others are kept', () => {
    const { places, report } = imported('row,seat,x,y\nA,1,0,7\nA,2,20,7\nB,1,0,40\nB,2,,40\n');
    expect(places.get('A-2')).toMatchObject({ x: expect.closeTo(20, 1), y: expect.closeTo(7, 1) });
    expect(places.get('B-1')!.y).toBeGreaterThan(7);
    expect(report.notes.filter(({ code }) => code === 'laid_out')).toMatchObject([
      { source: 'row B', objectId: 'row-2', message: expect.stringMatching(/^1 seat of row "B" has no x and y/) },
    ]);
  });

  it.each([
    ['1.234,5', '1.254,5', 1234.5],
    ['1,234.5', '1,254.5', 1234.5],
    ["1'234.5", "1'254.5", 1234.5],
    ['1 234,5', '1\u202F254,5', 1234.5],
    ['1.234.567,5', '1.234.587,5', 1234567.5],
    ['1.234', '1.254,5', 1234],
    ['−5,5', '14,5', -5.5],
    ['1,5', '21,5', 1.5],
  ])('%s has the value of its country', (first, second, value) => {
    const { places } = imported(`row;seat;x;y\nA;1;${first};0\nA;2;${second};0\n`);
    expect(places.get('A-1')!.x).toBeCloseTo(value, 1);
  });

  it('that have two meanings are told', () => {
    const { report } = imported('row;seat;x;y\nA;1;1,234;0\nA;2;21,234;0\n');
    expect(codesOf(report)).toContain('comma_in_positions');
    const english = imported('row,seat,x,y\nA,1,"1,234",0\nA,2,"1,254",0\n');
    expect(english.places.get('A-1')!.x).toBeCloseTo(1234, 1);
  });

  it('that are no numbers are told with their line', () => {
    const { report } = imported('row,seat,x,y\nA,1,0,0\n\nA,2,left,0\n');
    expect(report.notes.find(({ code }) => code === 'unreadable_position')).toMatchObject({
      source: 'line 4',
      message: 'Line 4 has "left" as x, which is no number.',
    });
  });
});

test('notes name the lines of the file, with empty lines and line breaks in cells', () => {
  const text = 'sep=;\r\nrow;seat;category\r\n\r\nA;1;"two\r\nlines"\r\n;;\r\nB;;c\r\n';
  const { report } = imported(text);
  expect(report.notes.find(({ code }) => code === 'line_without_seat')?.source).toBe('line 7');
});

test('a cell with several seats is told', () => {
  for (const several of ['1-20', '1 bis 20', '1–20', '"1,2,3"']) {
    const { report } = imported(`row,seat\nA,${several}\n`);
    expect(report.notes.find(({ code }) => code === 'several_seats')?.source, several).toBe('line 2');
  }
  expect(codesOf(imported('row,seat\nA,12-3\n').report)).not.toContain('several_seats');
});

test('yes and no are read in several languages, and other words are told', () => {
  const words = [
    'ja',
    'oui',
    'sí',
    'WAHR',
    'vrai',
    'x',
    'Rollstuhl',
    'wheelchair, companion',
    'nein',
    'FALSCH',
    'faux',
    '-',
  ];
  const lines = words.map((word, i) => `A;${i + 1};${word};${i < 6 ? word : 'nein'}`);
  const { document, places, report } = imported(`row;seat;accessible;restricted\n${lines.join('\n')}\n`);
  expect([...places.values()].map(({ accessibility }) => accessibility)).toEqual([1, 1, 1, 1, 1, 1, 1, 3, 0, 0, 0, 0]);
  expect(JSON.stringify(document).match(/"restrictedView":true/g)).toHaveLength(6);
  expect(codesOf(report)).not.toContain('unknown_answer');
  const odd = imported('row,seat,restricted,view\nA,1,pillar,pillar.jpg\n').report;
  const spaced = imported('row,seat,view\nA,1,https:// venue.example/a.jpg\n').report;
  expect(codesOf(spaced)).toContain('view');
  expect(odd.notes.find(({ code }) => code === 'unknown_answer')?.source).toBe('line 2');
  expect(odd.notes.find(({ code }) => code === 'view')?.source).toBe('line 2');
});

test('equal rows on two floors get their floor in their labels', () => {
  const { places, document, report } = imported('Etage,Reihe,Platz\nParkett,A,1\nParkett,A,2\nRang,A,1\nRang,B,1\n');
  expect([...places.keys()]).toEqual(['Parkett-A-1', 'Parkett-A-2', 'Rang-A-1', 'Rang-B-1']);
  expect(document.floors![1]!.objects.map(({ displayLabel }) => displayLabel)).toEqual(['A', 'B']);
  expect([codesOf(report).includes('floor_in_labels'), report.publishIssues]).toEqual([true, []]);
  expect(labelsIn('Etage,Reihe,Platz\nParkett,A,1\nRang,B,1\n')).toEqual(['A-1', 'B-1']);
});

test.each([
  'Ebene',
  'Etage',
  'Geschoss',
  'Planta',
  'Piso',
  'Niveau',
  'Floor',
  'Level',
  'Piano',
  'Patro',
  'Kat',
  '楼层',
])('a column %s names the floors', (header) => {
  const { document } = imported(`${header};Reihe;Platz\nParkett;A;1\nRang;B;1\n`);
  expect(document.floors?.map(({ name }) => name)).toEqual(['Parkett', 'Rang']);
});

describe('prices', () => {
  const categoriesIn = (text: string) =>
    imported(text).document.categories.map(({ label, price }) => [label, price] as const);

  it.each(['Preis', 'Price', 'Prix', 'Precio', 'Prezzo', 'Цена', 'Preis (€)', 'Price EUR', '価格'])(
    'of the column %s are those of the categories',
    (header) => {
      const text = `row;seat;category;${header}\nA;1;Front;45\nA;2;Front;45,00 €\nB;1;Rear;0\n`;
      expect(categoriesIn(text)).toEqual([
        ['Front', 45],
        ['Rear', 0],
      ]);
    },
  );

  it.each([
    ['45', 45],
    ['€ 45.00', 45],
    ['45,00 €', 45],
    ['1.200', 1200],
    ['1,200.00', 1200],
    ["CHF 1'200.-", 1200],
    ['12,-', 12],
    ['gratis', 0],
    ['-5', undefined],
    ['12.50 JPY', undefined],
    ['12.3456', undefined],
    ['on request', undefined],
    ['', undefined],
  ])('are read from %j', (text, price) => {
    expect(categoriesIn(`row;seat;category;price\nA;1;Front;${text}\n`)).toEqual([['Front', price]]);
  });

  it.each([
    ['12.50', 1250],
    ['12,50', 1250],
    ['12,5', 1250],
    ['€ 1,200.50', 120_050],
    ["CHF 1'200.50", 120_050],
    ['1.200,05 €', 120_005],
    ['12.500 KWD', 12_500],
    ['12.505 KWD', 12_505],
  ])('with decimals, as %j, make a chart that counts in minor units, and a note tells it', (text, price) => {
    const { document, report } = imported(`row;seat;category;price\nA;1;Front;${text}\nA;2;Rear;20\n`);
    expect(document.priceUnit).toBe('minor');
    const digits = text.includes('KWD') ? 3 : 2;
    expect(document.categories.map((each) => each.price)).toEqual([price, 20 * 10 ** digits]);
    expect(report.notes.find(({ code }) => code === 'prices_in_minor_units')).toMatchObject({
      ...{ kind: 'changed', source: 'line 2' },
      message: expect.stringContaining(`a currency with ${digits} digits`),
    });
  });

  it('without decimals leave the unit as it is, unless a column says minor', () => {
    const { document, report } = imported('row;seat;price\nA;1;45,00\nA;2;30\n');
    expect([document.priceUnit, codesOf(report).includes('prices_in_minor_units')]).toEqual([undefined, false]);
    const said = imported('row;seat;price;price unit\nA;1;45.00;minor\n').document;
    expect([said.priceUnit, said.categories[0]!.price]).toEqual(['minor', 4500]);
  });

  it('that differ make categories, and a price that is missing stays missing', () => {
    const lines = [
      'A;1;Front;45',
      'A;2;Front;45',
      'A;3;Front;30',
      'A;4;Front;',
      'B;1;;20',
      'B;2;;',
      'B;3;Front;on request',
    ];
    const { document, places, report } = imported(`row;seat;category;price\n${lines.join('\n')}\n`);
    expect(document.categories.map(({ key, price }) => [key, price])).toEqual([
      ['Front', 45],
      ['Front (30)', 30],
      ['Front (no price)', undefined],
      ['Price 20', 20],
      ['uncategorised', undefined],
    ]);
    expect(['A-2', 'A-3', 'A-4', 'B-1', 'B-2'].map((label) => places.get(label)!.categoryKey)).toEqual([
      'Front',
      'Front (30)',
      'Front (no price)',
      'Price 20',
      'uncategorised',
    ]);
    expect(report.notes.find(({ code }) => code === 'price_missing')?.message).toMatch(/^3 seats have no price/);
    expect(report.notes.find(({ code }) => code === 'unreadable_price')).toMatchObject({
      source: 'line 8',
      message: expect.stringContaining('"on request"'),
    });
    expect(codesOf(report)).toContain('category_of_price');
    const split = imported('row;seat;category;price\nA;1;Front;45\nA;2;Front;30,50\nA;3;;12\n').document;
    expect(split.categories.map(({ label, price }) => [label, price])).toEqual([
      ['Front', 4500],
      ['Front (30.50)', 3050],
      ['Price 12.00', 1200],
    ]);
  });
});

describe('an encoding', () => {
  /** The bytes of a text in an encoding of one byte a letter. */
  const encoded = (text: string, encoding: string) => {
    const signs = Array.from({ length: 256 }, (_, byte) => new TextDecoder(encoding).decode(Uint8Array.of(byte)));
    const western = { '€': 0x80, '“': 0x93, '”': 0x94, '–': 0x96, œ: 0x9c } as Record<string, number>;
    return Buffer.from([...text].map((sign) => (encoding === 'windows-1252' && western[sign]) || signs.indexOf(sign)));
  };
  const fileOf = (section: string) => `section,row,seat\n${section},1,1\n`;

  it.each([
    ['windows-1250', 'Židle vlevo'],
    ['windows-1250', 'Balkon środkowy'],
    ['windows-1250', 'Nézőtér, Földszint'],
    ['windows-1251', 'амфитеатр'],
    ['windows-1251', 'Партер'],
    ['windows-1252', 'Tribüne links'],
    ['windows-1252', 'Côté jardin – “A”'],
    ['windows-1252', 'Loge à 12 €'],
    ['windows-1253', 'Θεωρείο'],
    ['windows-1254', 'Loca sağ, ön sıra'],
    ['windows-1255', 'יציע'],
    ['windows-1256', 'الشرفة'],
    ['windows-1257', 'Balkonas kairėje, Žiedų ložė'],
    ['windows-874', 'ชั้นหนึ่ง'],
  ])('%s is guessed by the letters of %s', (encoding, section) => {
    const bytes = encoded(fileOf(`"${section}"`), encoding);
    const outcome = importChart(bytes, { format: null, name: null });
    if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
    expect(outcome.report.encoding).toBe(encoding);
    expect(outcome.document.objects[0]).toMatchObject({ type: 'section', label: section });
  });

  it.each([
    ['big5', 'a440bcd3', '一樓'],
    ['euc-kr', 'c0cfc3fe', '일층'],
    ['gb18030', 'c2a5c9cf', '楼上'],
    ['shift_jis', '88ea8a4b90c8', '一階席'],
  ])('%s is guessed by its characters', (encoding, hex, section) => {
    const bytes = Buffer.concat([Buffer.from('section,row,seat\n'), Buffer.from(hex, 'hex'), Buffer.from(',1,1\n')]);
    const outcome = importChart(bytes, { format: null, name: null });
    if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
    expect([outcome.report.encoding, outcome.document.objects[0]]).toMatchObject([encoding, { label: section }]);
  });

  it('that the caller names counts, and a byte without a letter is refused with its line', () => {
    const bytes = encoded(fileOf('Erkély bal ő'), 'windows-1250');
    const sectionAs = (encoding: ImportEncoding) => {
      const outcome = importChart(bytes, { format: null, name: null, encoding });
      return outcome.kind === 'failed' ? outcome.fault : outcome.document.objects[0]!.label;
    };
    expect(sectionAs('windows-1250')).toBe('Erkély bal ő');
    expect(sectionAs('windows-1252')).toBe('Erkély bal õ');
    expect(sectionAs('utf-8')).toMatchObject({
      code: 'unreadable_text',
      line: 2,
      message: expect.stringMatching(/^Line 2 is not text in UTF-8. The encoding is the likely cause/),
    });
    const signless = Buffer.from([...Buffer.from('row,seat\n'), 0x81, ...Buffer.from(',1\n')]);
    expect(importChart(signless, { format: null, name: null, encoding: 'windows-1252' })).toMatchObject({
      kind: 'failed',
      fault: { code: 'unreadable_text', line: 2 },
    });
  });

  it('is named where a guess finds no columns', () => {
    const outcome = importChart(encoded('Зона;Ложа\nА;1\n', 'windows-1251'), { format: null, name: null });
    expect(outcome).toMatchObject({
      kind: 'failed',
      fault: { code: 'unknown_format', message: expect.stringContaining('the file was read as windows-1251') },
    });
  });

  it('is told by the declaration of a drawing, and by the halves of UTF-16 without a mark', () => {
    const drawing =
      '<?xml version="1.0" encoding="windows-1251"?><svg xmlns="http://www.w3.org/2000/svg"><circle data-row="Ж" data-seat="1" r="8"/></svg>';
    for (const bytes of [encoded(drawing, 'windows-1251'), Buffer.from('row,seat\nЖ,1\n', 'utf16le')]) {
      const outcome = importChart(bytes, { format: null, name: null });
      if (outcome.kind === 'failed') throw new Error(outcome.fault.message);
      expect([...placesIn(outcome.document).keys()]).toEqual(['Ж-1']);
    }
  });
});

test('dates, powers of ten and faults in names are told, in every format', () => {
  for (const name of ['01-Jan', 'Jän-10', '1. Mrz', '3-févr', '2024-01-02', '01.02.2024', '5-май']) {
    const { report } = imported(`row,seat\n${name},1\n`);
    expect(codesOf(report), name).toContain('looks_like_date');
  }
  for (const name of ['1-2', '12-3', 'Mar', 'A-1', '1.2']) {
    expect(codesOf(imported(`row,seat,label\n${name},1,L-1\n`).report), name).not.toContain('looks_like_date');
  }
  for (const name of ['#REF!', '#N/A', '####', 'NaN', '#WERT!']) {
    expect(codesOf(imported(`row,seat\n${name},1\n`).report), name).toContain('looks_like_fault');
  }
  const rows = [{ row_number: '1.0', seats: [{ seat_number: 2, position: { x: 0, y: 0 } }] }];
  const plan = imported(JSON.stringify({ zones: [{ position: { x: 0, y: 0 }, rows }] }));
  expect([...plan.places.keys()]).toEqual(['1.0-2']);
  expect(codesOf(plan.report)).toContain('looks_like_decimal');
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><circle data-row="1E+01" data-seat="1" r="8"/></svg>';
  expect(codesOf(imported(drawing).report)).toContain('looks_like_power');
});

test('whole numbers keep their zeros in a column with other fractions', () => {
  expect(labelsIn('row,seat\n1.0,1\n1.5,1\n')).toEqual(['1.0-1', '1.5-1']);
});

test('200,000 rows of one section are laid out', () => {
  const rows = Array.from({ length: 200_000 }, (_, i): FoundRow => {
    const names = { categoryKey: null, kinds: [], displayLabel: null, viewUrl: null, isRestrictedView: false };
    const seats = [{ x: 0, y: 0, number: '1', label: null, ...names }];
    return { type: 'row', source: '', section: null, label: String(i), displayLabel: null, seats, extra: {} };
  });
  layOut(rows);
  expect(rows[1]!.seats[0]!.y).toBeGreaterThan(rows[0]!.seats[0]!.y);
});
