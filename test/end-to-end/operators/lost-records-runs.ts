/** Data folders of a deployment that has sold seats, and copies of them that are damaged. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
import { type Ask, backupEnv, startRestored } from './backup-runs.ts';

/** The answer of an event whose journal has lost records. */
export const lost = [503, 'journal_lost_records'] as const;
export const sold = [200, undefined] as const;

export async function book(ask: Ask, event: string, label: string, bookingRef: string) {
  const { status, body } = await ask('POST', `/v1/events/${event}/book`, { labels: [label], bookingRef });
  return [status, body.code] as const;
}

export type SoldFolders = Awaited<ReturnType<typeof sellSeats>>;

/**
 * Two folders of one deployment: `older`, with three sales of each event, and `whole`, with eight more of the event
 * `busy`. Each was stopped in good order, so its snapshots are stored.
 */
export async function sellSeats() {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-lost-'));
  const path = (name: string) => join(folder, name);
  const first = await openShop({ dataDir: path('whole'), env: backupEnv });
  const shop: Pick<Shop, 'token'> = first;
  const events = [await first.event(), await first.event()];
  const [busy, quiet] = events.map(({ key }) => key) as [string, string];
  for (const event of events) await event.post('book', { labels: ['A-1', 'A-2', 'A-3'], bookingRef: 'early' });
  await first.stop();
  await cp(path('whole'), path('older'), { recursive: true });
  const { restored, ask } = await startRestored(path('whole'), shop);
  for (let n = 1; n <= 8; n++) expect(await book(ask, busy, `B-${n}`, `late-${n}`)).toEqual(sold);
  await restored.stop();

  /** The folder of JetStream's streams, and the names of the journals in it. */
  async function streamsOf(name: string): Promise<{ streams: string; journals: string[] }> {
    const entries = await readdir(path(name), { recursive: true, withFileTypes: true });
    const journals = entries.filter((entry) => entry.name.startsWith('JOURNAL-'));
    return { streams: journals[0]!.parentPath, journals: journals.map((entry) => entry.name) };
  }

  return {
    busy,
    quiet,
    path,
    streamsOf,
    copy: (from: string, to: string) => cp(path(from), path(to), { recursive: true }),
    start: (name: string) => startRestored(path(name), shop),
    async deleteJournals(name: string): Promise<void> {
      const { streams, journals } = await streamsOf(name);
      for (const journal of journals) await rm(join(streams, journal), { recursive: true });
    },
    /** Puts the journals of `older` into a folder, in place of its own. */
    async putOlderBack(name: string): Promise<void> {
      const older = await streamsOf('older');
      const { streams, journals } = await streamsOf(name);
      for (const journal of journals) {
        await rm(join(streams, journal), { recursive: true });
        await cp(join(older.streams, journal), join(streams, journal), { recursive: true });
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
