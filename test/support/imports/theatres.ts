/**
 * One small theatre, as four drawing programs and four spreadsheets save it: two sections with equal rows, a stage,
 * exit signs, a hidden layer, and copies with the names that each program gives them. Every file has the same seats.
 */

type Section = { name: string; rows: { row: string; y: number; seats: number[] }[] };

const sections = (stalls: string, balcony: string): Section[] => [
  {
    name: stalls,
    rows: [
      { row: 'A', y: 100, seats: [1, 2, 3, 4] },
      { row: 'B', y: 126, seats: [1, 2, 3, 4] },
    ],
  },
  { name: balcony, rows: [{ row: 'A', y: 200, seats: [1, 2, 3] }] },
];

/** The labels of the theatre's seats in a chart. */
export function labelsOf(stalls: string, balcony: string): string[] {
  return sections(stalls, balcony).flatMap(({ name, rows }) =>
    rows.flatMap(({ row, seats }) => seats.map((seat) => `${name}-${row}-${seat}`)),
  );
}

const theatre = sections('Stalls', 'Balcony');
const xOf = (seat: number) => 80 + seat * 20;
const number = (value: number) => value.toFixed(6).replace(/\.?0+$/, '');

/** Millimetres, layers, labels beside ids, clones, ids of pasted copies. */
function inkscape(): string {
  let id = 100;
  const seatOf = (row: string, y: number) => (seat: number) =>
    `<circle style="fill:#c0392b;stroke-width:0.264583" id="path${id++}" cx="${xOf(seat) / 4}" cy="${y / 4}" r="2" inkscape:label="${row}-${seat}" />`;
  const groups = theatre.map(({ name, rows }) => {
    const seats = rows.flatMap(({ row, y, seats }) => seats.map(seatOf(row, y)));
    return `<g id="g${id++}" inkscape:label="Section ${name}">${seats.join('\n')}</g>`;
  });
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="100mm" height="80mm" viewBox="0 0 100 80" version="1.1" id="svg1" inkscape:version="1.3.2"
   sodipodi:docname="theatre.svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff" inkscape:document-units="mm" inkscape:current-layer="layer1" />
  <defs id="defs1" />
  <g inkscape:label="Capa 1" inkscape:groupmode="layer" id="layer1">
    <rect style="fill:#1a1a1a" id="rect1" width="30" height="8" x="15" y="6" inkscape:label="Stage" />
    <text xml:space="preserve" style="font-size:5.64444px;fill:#ffffff;text-anchor:middle" x="30" y="11" id="text1"><tspan
       sodipodi:role="line" id="tspan1" x="30" y="11">STAGE</tspan></text>
    ${groups.join('\n')}
    <rect style="fill:#27ae60" id="rect10" width="4" height="2" x="2" y="20" />
    <rect style="fill:#27ae60" id="rect10-2" width="4" height="2" x="2" y="30" />
    <path style="fill:#27ae60" id="path836-3-6" d="m 2,40 h 4 v 2 h -4 z" />
    <use x="0" y="0" xlink:href="#rect10" id="use12-5" transform="translate(0,30)" width="100%" height="100%" />
  </g>
  <g inkscape:groupmode="layer" id="layer2" inkscape:label="Old plan" style="display:none">
    <circle style="fill:#000000" id="path90" cx="50" cy="70" r="2" inkscape:label="Z-1" />
  </g>
</svg>`;
}

/** Classes of a style sheet, escaped ids, and ids with the number of a copy. */
function illustrator(): string {
  const used = new Map<string, number>();
  const idOf = (name: string) => {
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    const escaped = name.replace(/^\d/, (digit) => `_x3${digit}_`).replaceAll(' ', '_');
    return count === 0 ? escaped : `${escaped}_${count}_`;
  };
  const groups = theatre.map(({ name, rows }) => {
    const lines = rows.map(({ row, y, seats }) => {
      const circles = seats.map(
        (seat) => `<circle id="${idOf(String(seat))}" class="st1" cx="${xOf(seat)}" cy="${y}" r="8"/>`,
      );
      return `<g id="${idOf(`Row ${row}`)}">\n\t\t${circles.join('\n\t\t')}\n\t</g>`;
    });
    return `<g id="${idOf(`Section ${name}`)}">\n\t${lines.join('\n\t')}\n</g>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 27.5.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<svg version="1.1" id="Ebene_1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px"
\t viewBox="0 0 400 300" style="enable-background:new 0 0 400 300;" xml:space="preserve">
<style type="text/css">
\t.st0{fill:#1D1D1B;}
\t.st1{fill:#E30613;stroke:#000000;stroke-miterlimit:10;}
\t.st2{display:none;}
\t.st3{display:inline;fill:#FFFFFF;}
\t.st4{font-family:'MyriadPro-Regular';}
\t.st5{font-size:24px;}
</style>
<g id="XMLID_1_"><rect id="Stage" x="60" y="20" class="st0" width="120" height="30"/>
<text transform="matrix(1 0 0 1 80 44)" class="st4 st5">STAGE</text></g>
<g id="Old_plan" class="st2"><circle id="Z-1" class="st3" cx="200" cy="280" r="8"/></g>
${groups.join('\n')}
<rect id="Exit" x="10" y="90" width="16" height="8"/>
<rect id="Exit_1_" x="10" y="120" width="16" height="8"/>
<rect id="Exit_2_" x="10" y="150" width="16" height="8"/>
</svg>`;
}

/** Ids as they stand in the layers, a number after each repeated id, numbers of seats as paths. */
function figma(): string {
  const used = new Map<string, number>();
  const idOf = (name: string) => {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  };
  const seatOf = (row: string, y: number) => (seat: number) =>
    `<circle id="${idOf(`${row}-${seat}`)}" cx="${xOf(seat)}" cy="${y}" r="8" fill="#D9D9D9"/>
<path id="${idOf(String(seat))}" d="M${xOf(seat) - 2} ${y - 4}H${xOf(seat) + 2}V${y + 4}H${xOf(seat) - 2}Z" fill="black"/>`;
  const groups = theatre.map(({ name, rows }) => {
    const lines = rows.map(
      ({ row, y, seats }) => `<g id="${idOf(`Row ${row}`)}">\n${seats.map(seatOf(row, y)).join('\n')}\n</g>`,
    );
    return `<g id="${idOf(`Section ${name}`)}">\n${lines.join('\n')}\n</g>`;
  });
  const exit = (y: number) =>
    `<g id="${idOf('Exit')}"><rect id="${idOf('Rectangle 6')}" x="10" y="${y}" width="16" height="8" fill="#27AE60"/><path id="${idOf('EXIT')}" d="M12 ${y + 2}H20V${y + 6}H12Z" fill="white"/></g>`;
  return `<svg width="400" height="300" viewBox="0 0 400 300" fill="none" xmlns="http://www.w3.org/2000/svg">
<g id="Frame 1" clip-path="url(#clip0_1_2)">
<rect width="400" height="300" fill="white"/>
<rect id="Rectangle 5" x="60" y="20" width="120" height="30" fill="#1A1A1A"/>
<text id="Stage" fill="white" xml:space="preserve" style="white-space: pre" font-family="Inter" font-size="20" letter-spacing="0em"><tspan x="90" y="42.7727">STAGE</tspan></text>
${groups.join('\n')}
${[90, 120, 150].map(exit).join('\n')}
</g>
<defs><clipPath id="clip0_1_2"><rect width="400" height="300" fill="white"/></clipPath></defs>
</svg>`;
}

/** A page and an artboard around all, hyphens for spaces, copies with the word Copy. */
function sketch(): string {
  const used = new Map<string, number>();
  const idOf = (name: string) => {
    const count = used.get(name) ?? 0;
    used.set(name, count + 1);
    const id = name.replaceAll(' ', '-');
    return count === 0 ? id : `${id}-Copy${count === 1 ? '' : `-${count}`}`;
  };
  const groups = theatre.map(({ name, rows }) => {
    const lines = rows.map(({ row, y, seats }) => {
      const circles = seats.map(
        (seat) => `<circle id="${idOf(`${row}-${seat}`)}" cx="${number(xOf(seat) - 20)}" cy="8" r="8"></circle>`,
      );
      return `<g id="${idOf(`Row ${row}`)}" transform="translate(0.000000, ${(y - 28).toFixed(6)})">${circles.join('\n')}</g>`;
    });
    return `<g id="${idOf(`Section ${name}`)}" fill="#D0021B">${lines.join('\n')}</g>`;
  });
  const exits = [90, 120, 150].map(
    (y) => `<rect id="${idOf('Rectangle')}" fill="#7ED321" x="10" y="${y}" width="16" height="8"></rect>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg width="400px" height="300px" viewBox="0 0 400 300" version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <title>Theatre</title>
    <g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="evenodd">
        <g id="Artboard-1" transform="translate(20.000000, 20.000000)">
            <rect id="Stage-1" fill="#4A4A4A" x="40" y="0" width="120" height="30"></rect>
            <text id="STAGE" font-family="Helvetica" font-size="24" font-weight="normal" fill="#FFFFFF"><tspan x="65" y="24">STAGE</tspan></text>
            ${groups.join('\n')}
            ${exits.join('\n')}
        </g>
    </g>
</svg>`;
}

const seatsIn = (all: Section[]) =>
  all.flatMap(({ name, rows }) => rows.flatMap(({ row, y, seats }) => seats.map((seat) => ({ name, row, seat, y }))));

/** Semicolons, Windows-1252, decimal commas, signs between thousands, lines for things that are no seats. */
function excelGerman(): Buffer {
  const german = (value: number) => `1.${String(value).padStart(3, '0')},5`;
  const lines = seatsIn(sections('Parkett', 'Rang')).map(
    ({ name, row, seat, y }, i) =>
      `${i + 1};${name};${row};${seat};Preisgruppe 1;${seat === 1 ? 'WAHR' : 'FALSCH'};${german(xOf(seat))};${german(y)}`,
  );
  const things = ['Bühne;;;;;;;', 'Notausgang;;;;;;;', ';;;;;;;'];
  return latin(['Nr;Bereich;Reihe;Platz-Nr.;Preisgruppe;Rollstuhl;X;Y', ...things, ...lines, ''].join('\r\n'));
}

function excelFrench(): Buffer {
  const lines = seatsIn(sections('Orchestre', 'Balcon')).map(
    ({ name, row, seat }) => `${name};${row};${seat};Catégorie 1;${seat === 1 ? 'VRAI' : 'FAUX'}`,
  );
  return latin(['sep=;', 'Secteur;Rang;N° de place;Catégorie;PMR', 'Scène;;;;', ...lines, ''].join('\r\n'));
}

/** Commas, no mark of an encoding, quotes where a cell has a comma. */
function googleSheets(): Buffer {
  const lines = seatsIn(theatre).map(
    ({ name, row, seat, y }) =>
      `${name},${row},${seat},"1,${String(xOf(seat)).padStart(3, '0')}.5","1,${String(y).padStart(3, '0')}.5",Front,${seat === 1 ? 'TRUE' : 'FALSE'}`,
  );
  return Buffer.from(['Section,Row,Seat Label,X Coordinate,Y Coordinate,Category,Wheelchair', ...lines].join('\r\n'));
}

/** All texts in quotes, line feeds, a line break inside of a cell. */
function libreOffice(): Buffer {
  const lines = seatsIn(sections('Партер', 'Балкон')).map(
    ({ name, row, seat }) => `"${name}";"${row}";${seat};"Категория\n1";"${seat === 1 ? 'да' : 'нет'}"`,
  );
  return Buffer.from(['"Сектор";"Ряд";"Место";"Категория";"Accessible"', ...lines, ''].join('\n'));
}

const latin = (text: string) => Buffer.from(text, 'latin1');

type Theatre = { bytes: Buffer; stalls: string; balcony: string };

const drawn = (text: string): Theatre => ({ bytes: Buffer.from(text), stalls: 'Stalls', balcony: 'Balcony' });

export const drawings: [program: string, Theatre][] = [
  ['Inkscape', drawn(inkscape())],
  ['Illustrator', drawn(illustrator())],
  ['Figma', drawn(figma())],
  ['Sketch', drawn(sketch())],
];

export const spreadsheets: [program: string, Theatre][] = [
  ['Excel in German', { bytes: excelGerman(), stalls: 'Parkett', balcony: 'Rang' }],
  ['Excel in French', { bytes: excelFrench(), stalls: 'Orchestre', balcony: 'Balcon' }],
  ['Google Sheets', { bytes: googleSheets(), stalls: 'Stalls', balcony: 'Balcony' }],
  ['LibreOffice', { bytes: libreOffice(), stalls: 'Партер', balcony: 'Балкон' }],
];
