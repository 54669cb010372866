/** An event as the list shows it: its state, its filters and its order. Pure. */
import { dayOf } from '../frame/zoned-time.ts';

/** Times are epoch milliseconds. `counts` is absent where the inventory did not answer in time. */
export type ListedEvent = {
  key: string;
  name: string;
  mode: string;
  status: string;
  salesPaused: boolean;
  workspaceId: string;
  chartId: string;
  venue: string | null;
  startsAt: number | null;
  timezone: string | null;
  seatTotal: number;
  counts?: Counts;
};

export type Counts = { free: number; held: number; booked: number; blocked: number };

export const states = ['on_sale', 'paused', 'closed', 'archived'] as const;
export type State = (typeof states)[number];

export function stateOf({ status, salesPaused }: Pick<ListedEvent, 'status' | 'salesPaused'>): State {
  if (status === 'closed' || status === 'archived') return status;
  return salesPaused ? 'paused' : 'on_sale';
}

/** `current` are all states but the archive. */
export const shownStates = ['current', ...states, 'all'] as const;
export type ShownState = (typeof shownStates)[number];

/** `from` and `to` are days, such as 2027-03-01, on the clocks of each event; '' for none. */
export type Filters = { search: string; state: ShownState; chart: string; from: string; to: string };

export function filtersIn(query: Readonly<Record<string, string>>): Filters {
  const { search = '', state, chart = '', from = '', to = '' } = query;
  return { search, state: shownStates.find((each) => each === state) ?? 'current', chart, from, to };
}

/** The query of an address; what is usual is left out. */
export function queryOf(filters: Filters): Record<string, string> {
  const usual: Filters = { search: '', state: 'current', chart: '', from: '', to: '' };
  return Object.fromEntries(Object.entries(filters).filter(([name, value]) => value !== usual[name as keyof Filters]));
}

/** `inArchive` counts the events that fit but for the archive, which `current` leaves out. */
export function filtered(
  events: readonly ListedEvent[],
  filters: Filters,
): { shown: readonly ListedEvent[]; inArchive: number } {
  const fitting = events.filter((event) => fitsText(event, filters) && fitsDays(event, filters));
  const shown = fitting.filter((event) => fitsState(stateOf(event), filters.state));
  const inArchive = filters.state === 'current' ? fitting.length - shown.length : 0;
  return { shown, inArchive };
}

function fitsState(state: State, wanted: ShownState): boolean {
  if (wanted === 'all') return true;
  return wanted === 'current' ? state !== 'archived' : state === wanted;
}

/** Every word stands in the name, the key or the venue. */
function fitsText({ name, key, venue, chartId }: ListedEvent, { search, chart }: Filters): boolean {
  if (chart !== '' && chartId !== chart) return false;
  const text = `${name} ${key} ${venue ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** An event without a time is in no span. */
function fitsDays({ startsAt, timezone }: ListedEvent, { from, to }: Filters): boolean {
  if (from === '' && to === '') return true;
  if (startsAt === null) return false;
  const day = dayOf(startsAt, timezone);
  return (from === '' || day >= from) && (to === '' || day <= to);
}
