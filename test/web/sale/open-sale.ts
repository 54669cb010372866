/** The picker's sale over a chart and a server of its own, for tests. */
import { expect } from 'vitest';
import { demoTheatre } from '../../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../../shared/src/charts/document.ts';
import { wordsOf } from '../../../web/src/messages/words.ts';
import { type Hall, hallOf } from '../../../web/src/rules/hall.ts';
import { noStatuses, takeDelta, takeSnapshot } from '../../../web/src/rules/statuses.ts';
import type { Api } from '../../../web/src/sale/api.ts';
import { eventCounter } from '../../../web/src/sale/counter.ts';
import { keptHold } from '../../../web/src/sale/kept-hold.ts';
import { Sale } from '../../../web/src/sale/sale.ts';

type Body = { selections?: { label: string; quantity?: number }[]; replaceHoldId?: string; holdId?: string };
type Call = { action: string; key: string | undefined; body: Body };

const lost = { ok: false as const, status: 0, problem: { code: 'no_answer' } };

/** Without these rows. */
export function demoHall(...hidden: string[]): Hall {
  const document = demoTheatre() as ChartDocument;
  const objects = document.objects.filter(
    ({ type, label }: { type: string; label?: string }) => type !== 'row' || !hidden.includes(label!),
  );
  return hallOf({ ...document, objects });
}

/** Holds by Idempotency-Key, as the server does. While `loses` is true, the answer is lost. */
export function openSale() {
  const page = { hall: demoHall(), statuses: noStatuses(demoHall()) };
  const said: string[] = [];
  const calls: Call[] = [];
  const server = {
    loses: false,
    extends: 0,
    taken: [] as string[],
    answers: new Map<string, object>(),
    named: new Map<string, { holdId: string; labels: string[] }>(),
    /** Called before a hold is answered. */
    meanwhile: () => {},
  };
  const call = async (_: string, action: string, { key, body }: { key?: string; body?: Body } = {}) => {
    calls.push({ action, key, body: body! });
    const given = server.answers.get(action);
    if (given) return given;
    if (action === 'extend') {
      return { ok: true as const, value: { expiresAt: Date.now() + 60_000, extends: ++server.extends } };
    }
    if (action !== 'hold') return { ok: false as const, status: 404, problem: { code: 'hold_not_found' } };
    server.meanwhile();
    const labels = body!.selections!.map(({ label }) => label);
    const conflicts = labels.filter((label) => server.taken.includes(label));
    if (conflicts.length > 0) {
      const problem = { code: 'conflict', conflicts: conflicts.map((label) => ({ label, status: 'held' })) };
      return server.loses ? lost : { ok: false as const, status: 409, problem };
    }
    const held = labels.map((label) => (label === 'Standing' ? '__sl_ga__standing__1' : label));
    const hold = server.named.get(key!) ?? { holdId: `hld_${server.named.size + 1}`, labels: held };
    server.named.set(key!, hold);
    return server.loses ? lost : { ok: true as const, value: { ...hold, expiresAt: Date.now() + 60_000, items: [] } };
  };
  const nothing = (): void => {};
  const sale = new Sale({
    counter: eventCounter({ call } as unknown as Api),
    words: () => wordsOf('en'),
    hall: () => page.hall,
    statuses: () => page.statuses,
    kept: keptHold(null, 'ev', { publicKey: 'pk_test_1' }),
    maxSelection: 10,
    rules: () => ({}),
    isClosed: () => false,
    now: Date.now,
    total: () => null,
    lackingOf: () => [],
    events: {
      changed: nothing,
      selectionChanged: nothing,
      held: nothing,
      holdEnded: nothing,
      bought: nothing,
      problem: (_, text) => void said.push(text),
      outdated: nothing,
      say: (text) => void said.push(text),
    },
  });
  const hears = (version: number, changes: Record<string, string>, standing?: number) => {
    const list = Object.entries(changes).map(([label, status]) => ({ label, status }));
    const ga = standing === undefined ? {} : { standing: { free: standing } };
    takeDelta(page.statuses, page.hall, { type: 'delta', snapshotVersion: version, changes: list, ga });
    sale.heard((label) => changes[label]);
  };
  /** Reads all statuses: each is free, but for `seats`. */
  const shows = (version: number, seats: Record<string, string> = {}) => {
    const frame = {
      type: 'snapshot' as const,
      snapshotVersion: version,
      default: 'free',
      seats,
      hidden: [],
      closed: [],
    };
    takeSnapshot(page.statuses, page.hall, { ...frame, ga: { standing: { free: 20 } } });
  };
  /** The chart is read anew, with these statuses. */
  const rebuild = (hall: Hall, seats: Record<string, string> = {}) => {
    Object.assign(page, { hall, statuses: noStatuses(hall) });
    shows(2, seats);
    sale.rebuilt();
    sale.heard((label) => seats[label] ?? 'free');
  };
  shows(1);
  const choose = (label: string) => sale.choice.toggle(page.hall.spotOf.get(label)!);
  const chosen = () => [...sale.state.selection.keys()];
  return { sale, page, server, calls, said, hears, rebuild, choose, chosen };
}

/** The hold has ended by the page's clock, and the server says so. */
export async function expire({ sale, server }: Pick<ReturnType<typeof openSale>, 'sale' | 'server'>): Promise<void> {
  server.answers.set('hold/resume', { ok: false, status: 404, problem: { code: 'hold_not_found', status: 'expired' } });
  sale.tick(Date.now() + 120_000);
  await expect.poll(() => sale.state.hold).toBe(null);
}
