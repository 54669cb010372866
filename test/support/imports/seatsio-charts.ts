/** Charts in the form of seats.io, written for these tests, with the places that an import must make of them. */

type At = { x: number; y: number };
type SeatsioChart = { text: string; wanted: [string, At][] };

const categories = {
  list: [
    { key: 1, label: 'Near', color: '#0088cc', accessible: false },
    { key: '2', label: 'Far', color: '#cc8800', accessible: false },
  ],
};

const circle = (center: At, radius: number, degrees: number): At => ({
  x: center.x + radius * Math.cos((degrees * Math.PI) / 180),
  y: center.y + radius * Math.sin((degrees * Math.PI) / 180),
});

const rounded = ({ x, y }: At): At => ({ x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 });

/** A hall with one object of each kind. */
export function seatsioHall(version: number): SeatsioChart {
  const wanted: [string, At][] = [];
  const seats = (label: string, places: At[], extra: (index: number) => object = () => ({})) =>
    places.map((place, index) => {
      const number = String(places.length - index);
      wanted.push([`${label}-${number}`, place]);
      return { ...rounded(place), label: number, categoryKey: 1, uuid: `${label}${index}`, ...extra(index) };
    });
  const level = Array.from({ length: 8 }, (_, i) => ({ x: 100 + i * 20, y: 200 }));
  const bent = Array.from({ length: 15 }, (_, i) => circle({ x: 170, y: -200 }, 440, 110 - i * 2.7));
  const corner = { x: 600, y: 100 };
  const inside = Array.from({ length: 6 }, (_, i) => ({ x: 20 + i * 20, y: 30 + i * 2 }));
  const rows = [
    { label: 'A', curve: 0, chairSpacing: 4, seats: seats('A', level), points: null, uuid: 'row-a' },
    {
      label: 'B',
      curve: 12,
      seats: seats('B', bent, (i) =>
        i === 13 ? { accessible: true, semiAmbulatorySeat: true, restrictedView: true } : {},
      ),
      uuid: 'row-b',
    },
  ];
  const stalls = inside.map(({ x, y }, i) => {
    wanted.push([`Stalls-C-${i + 1}`, { x: corner.x + x, y: corner.y + y }]);
    return { x, y, label: String(i + 1), uuid: `c${i}` };
  });
  const ring = (center: At, count: number) =>
    Array.from({ length: count }, (_, i) => circle(center, 35, 90 + (i * 360) / count));
  const chairs = (label: string, places: At[], isSold: boolean) =>
    places.map((place, i) => {
      if (isSold) wanted.push([`${label}-${i + 1}`, place]);
      return { ...rounded(place), label: String(i + 1), categoryKey: 1 };
    });
  const sides = [-30, 0, 30].flatMap((x) => [-32, 32].map((y) => ({ x: 330 + x, y: 500 + y })));
  wanted.push(['Booth 1', { x: 60, y: 400 }]);
  const chart = {
    name: `Hall of version ${version}`,
    version,
    venueType: 'MIXED',
    categories,
    zones: [{ key: 'near', label: 'Near the stage', focalPoint: { x: 1, y: 2 } }],
    subChart: {
      width: 900,
      height: 700,
      focalPoint: { x: 170, y: 50 },
      rows,
      tables: [
        {
          label: 'T1',
          type: 'round',
          center: { x: 60, y: 500 },
          radius: 20,
          seats: chairs('T1', ring({ x: 60, y: 500 }, 7), true),
          rotationAngle: 0,
        },
        {
          label: 'Bar',
          type: 'round',
          center: { x: 180, y: 500 },
          radius: 20,
          seats: chairs('Bar', ring({ x: 180, y: 500 }, 4), false),
          bookAsAWhole: true,
          variableOccupancy: true,
          minOccupancy: 2,
          maxOccupancy: 4,
        },
        {
          label: 'Long',
          type: 'rectangular',
          center: { x: 330, y: 500 },
          width: 90,
          height: 40,
          rotationAngle: 0,
          seats: chairs('Long', sides, true),
        },
      ],
      booths: [
        { label: 'Booth 1', center: { x: 60, y: 400 }, width: 40, height: 30, rotationAngle: 0, categoryKey: '2' },
      ],
      generalAdmissionAreas: [
        {
          label: 'Pit',
          capacity: 50,
          categoryKey: 1,
          type: 'circle',
          center: { x: 500, y: 600 },
          radius1: 40,
          radius2: 30,
          rotationAngle: 45,
        },
        {
          label: 'Lawn',
          capacity: 40,
          categoryKey: '2',
          type: 'rectangle',
          center: { x: 700, y: 600 },
          width: 80,
          height: 60,
          rotationAngle: 30,
        },
        {
          label: 'Hill',
          capacity: 30,
          categoryKey: '2',
          type: 'polygon',
          points: [
            { x: 800, y: 500 },
            { x: 900, y: 500 },
            { x: 850, y: 600 },
          ],
          bookAsAWhole: true,
        },
      ],
      sections: [
        {
          label: 'Stalls',
          points: [corner, { x: 800, y: 100 }, { x: 800, y: 250 }, { x: 600, y: 250 }],
          topLeft: corner,
          categoryKey: '2',
          entrance: 'North',
          zone: 'near',
          subChart: {
            width: 200,
            height: 150,
            rows: [{ label: 'C', seats: stalls, uuid: 'row-c' }],
            tables: [],
            shapes: [],
          },
        },
      ],
      shapes: [
        {
          smartType: 'stage',
          type: 'rectangle',
          center: { x: 170, y: 30 },
          width: 200,
          height: 50,
          fillColor: '#ddd',
          label: 'Stage',
          rotationAngle: 0,
        },
      ],
      texts: [{ text: 'Way out', center: { x: 20, y: 20 }, textColor: '#000000', fontSize: 14 }],
      imageObjects: [
        { imageUrl: 'https://pictures.example/logo.png', center: { x: 10, y: 10 }, width: 20, height: 20 },
      ],
      icons: [{ icon: 'exit', center: { x: 0, y: 0 } }],
      backgroundImage: null,
    },
  };
  return { text: JSON.stringify(chart), wanted };
}

/** Two floors with two sections each, drawn relative to the sections' corners. */
export function stadium(): { text: string; seats: number } {
  const section = (label: string, x: number) => ({
    label,
    topLeft: { x, y: 0 },
    points: [
      { x, y: 0 },
      { x: x + 250, y: 0 },
      { x: x + 250, y: 120 },
      { x, y: 120 },
    ],
    categoryKey: 1,
    subChart: {
      rows: ['1', '2', '3'].map((row, line) => ({
        label: row,
        seats: Array.from({ length: 10 }, (_, i) => ({ label: String(i + 1), x: 20 + i * 22, y: 20 + line * 30 })),
      })),
    },
  });
  const floor = (name: string, y: number, labels: string[]) => ({
    floorName: name,
    floorDisplayName: name,
    focalPoint: { x: 250, y },
    sections: labels.map((label, index) => section(label, index * 300)),
    rows: [],
  });
  const subChartFloors = [floor('Ground floor', -50, ['101', '102']), floor('Balcony', -20, ['201', '202'])];
  const chart = { name: 'Stadium', version: 21, venueType: 'WITH_SECTIONS_AND_FLOORS', categories, subChartFloors };
  return { text: JSON.stringify(chart), seats: 120 };
}
