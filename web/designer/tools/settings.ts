/** The sizes that new objects get, chosen beside the map. They stay for the session of the page. */
export type Settings = {
  /** Between the seats of a row, and between rows, in chart units. */
  seatSpacing: number;
  rowSpacing: number;
  /** Of a block: how far every second row stands aside. */
  stagger: number;
  /** Of a block: seats between two aisles, 0 for none. */
  aisleEvery: number;
  aisleWidth: number;
  /** Of a block: the distance of its first row from the point that its rows curve around; 0 for straight rows. */
  radius: number;
  /** Of a block: rows have even counts. */
  keepsEven: boolean;
  /** Of a new table. */
  chairs: number;
  /** Of a new area. */
  capacity: number;
  text: string;
  /** Before the number of a new table: “Box” makes Box 1; empty for the usual word. */
  tableName: string;
  /** Of a new image. */
  address: string;
  categoryKey: string;
  /** The zone whose focal point is set; null for the floor in sight. */
  focalZone: string | null;
  grid: number;
  showsGrid: boolean;
  /** The floor below, as a shadow. */
  showsBelow: boolean;
  snaps: boolean;
};

export type NumberSetting =
  | 'seatSpacing'
  | 'rowSpacing'
  | 'stagger'
  | 'aisleEvery'
  | 'aisleWidth'
  | 'radius'
  | 'chairs'
  | 'capacity'
  | 'grid';

/** `isWhole`: a count. */
export const limits: Record<NumberSetting, { min: number; max: number; isWhole?: true }> = {
  seatSpacing: { min: 4, max: 500 },
  rowSpacing: { min: 4, max: 500 },
  stagger: { min: 0, max: 500 },
  aisleEvery: { min: 0, max: 500, isWhole: true },
  aisleWidth: { min: 0, max: 500 },
  radius: { min: 0, max: 10_000 },
  chairs: { min: 1, max: 100, isWhole: true },
  capacity: { min: 1, max: 100_000, isWhole: true },
  grid: { min: 1, max: 500 },
};

export function firstSettings(): Settings {
  return {
    seatSpacing: 24,
    rowSpacing: 32,
    stagger: 0,
    aisleEvery: 0,
    aisleWidth: 48,
    radius: 0,
    keepsEven: false,
    chairs: 8,
    capacity: 100,
    text: '',
    tableName: '',
    address: '',
    categoryKey: '',
    focalZone: null,
    grid: 10,
    showsGrid: true,
    showsBelow: true,
    snaps: true,
  };
}
