/**
 * The hall of an event with the true statuses of its places, read again and again.
 *
 * States: opening → live → behind (a reading failed, the last statuses stay and say so) → live; failed, where the chart
 * cannot be read: the person tries again. A hall that is left drops every late answer. A label that the chart lacks
 * means that there is a newer chart, and both are read anew.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { type Hall, hallOf } from '../../../src/rules/hall.ts';
import { placeOfArea } from '../../../src/rules/statuses.ts';
import type { Server } from '../../server/calls.ts';

export type TrueStatus = 'free' | 'held' | 'booked' | 'blocked' | 'not_for_sale';

type Objects = {
  seats: Record<string, TrueStatus>;
  reservations?: Record<string, { id: string; name: string }>;
  snapshotVersion: number;
  stale?: true;
};
type Chart = { event: { name: string; timezone: string | null; currency: string }; doc: ChartDocument };

export type LiveHall = {
  state: 'opening' | 'live' | 'behind' | 'failed';
  event: Chart['event'] | null;
  hall: Hall | null;
  objects: Objects | null;
  statusOf(label: string): TrueStatus;
  /** Null for a place that nobody has reserved. */
  reservationOf(label: string): { id: string; name: string } | null;
  again(): void;
  close(): void;
};

const READ_EVERY_MS = 2_000;

/** `changed` hears of every new state; `isNewHall` where the chart is another one. */
export function openLiveHall(server: Server, eventKey: string, changed: (isNewHall: boolean) => void): LiveHall {
  const path = `events/${encodeURIComponent(eventKey)}`;
  const left = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const live: LiveHall = {
    state: 'opening',
    event: null,
    hall: null,
    objects: null,
    statusOf: (label) => live.objects?.seats[label] ?? 'free',
    reservationOf: (label) => live.objects?.reservations?.[label] ?? null,
    again: () => void open(),
    close() {
      left.abort();
      clearTimeout(timer);
    },
  };
  void open();
  return live;

  async function open(): Promise<void> {
    const chart = await server.get<Chart>(`${path}/chart`, left.signal);
    if (left.signal.aborted) return;
    if (!chart.ok) {
      live.state = 'failed';
      changed(false);
      return;
    }
    const { event, doc } = chart.value;
    Object.assign(live, { event, hall: hallOf(doc), objects: null });
    await look(true);
  }

  async function look(isNewHall = false): Promise<void> {
    const answer = await server.get<Objects>(`${path}/objects`, left.signal);
    if (left.signal.aborted) return;
    if (answer.ok && isOnChart(answer.value)) {
      Object.assign(live, { state: 'live', objects: answer.value });
      changed(isNewHall);
    } else if (answer.ok && !isNewHall) {
      void open();
      return;
    } else {
      live.state = 'behind';
      changed(isNewHall);
    }
    timer = setTimeout(() => void look(), READ_EVERY_MS);
  }

  function isOnChart({ seats }: Objects): boolean {
    const { spotOf } = live.hall!;
    return Object.keys(seats).every((label) => spotOf.has(label) || placeOfArea(label));
  }
}
