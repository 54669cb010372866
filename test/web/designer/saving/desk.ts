/** A page that saves to a server of the test: each request waits until the test answers it. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { Editor } from '../../../../web/designer/document/editor.ts';
import { Saving } from '../../../../web/designer/saving/saving.ts';
import type { Answer, OpenChart, SaveBody } from '../../../../web/designer/session/calls.ts';

type Saved = { meta: { updatedAt: number } };
type Save = SaveBody & { key: string; answer(answer: Answer<Saved>): void };

export const booth = (id: string, label: string) => ({
  type: 'booth' as const,
  id,
  label,
  center: { x: 0, y: 0 },
  width: 10,
  height: 10,
  categoryKey: 'c',
});
export const chart = (...objects: ReturnType<typeof booth>[]): ChartDocument => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [{ key: 'c', label: 'C', color: '#000' }],
  objects,
});
export const first = chart(booth('a', 'A'), booth('b', 'B'));

export const lost = { ok: false as const, status: 0, problem: { code: 'no_answer' } };
export const stale = { ok: false as const, status: 409, problem: { code: 'conflict', reason: 'stale_chart' } };
export const ended = { ok: false as const, status: 401, problem: { code: 'unauthorized' } };

export function openDesk() {
  const editor = new Editor(first);
  let now = 1_000_000;
  let keys = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  const saves: Save[] = [];
  const looks: {
    since: number;
    answer(answer: Answer<OpenChart | null>): void;
    signal: AbortSignal | undefined;
  }[] = [];
  let isWritable = true;
  const written: (() => void)[] = [];
  const kept: { base: number; document: ChartDocument }[] = [];
  let dropped = 0;
  const states: string[] = [];
  const saving: Saving = new Saving(
    {
      chartId: 'cht_1',
      server: {
        save: (_, body, key) =>
          new Promise((resolve) => saves.push({ ...body, key, answer: resolve as Save['answer'] })),
        news: (_, since, signal) => new Promise((answer) => looks.push({ since, answer, signal })),
      },
      draft: {
        isKept: true,
        keep: ({ base, document }) => void kept.push({ base: base.updatedAt, document }),
        safe: () => (isWritable ? Promise.resolve() : new Promise((resolve) => written.push(resolve))),
        drop() {
          dropped++;
          for (const tell of written.splice(0)) tell();
        },
      },
      document: () => editor.document,
      replace: (next) => editor.replace(next),
      now: () => now,
      after(ms, run) {
        const timer = {};
        timers.set(timer, { at: now + ms, run });
        return () => timers.delete(timer);
      },
      newKey: () => `key-${++keys}`,
      changed: () => void states.push(saving.state),
    },
    { updatedAt: 1, document: first },
  );

  editor.subscribe(({ isDocument }) => isDocument && saving.edited());

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }

  return {
    saving,
    edit: (next: ChartDocument) => editor.apply(() => next, 'did.chart'),
    saves,
    /** Unread news: the people, and what they changed. */
    news: () =>
      saving.news.entries.map(({ people, changes }) => [
        people.join('+'),
        ...changes.map(({ id, how }) => `${id} ${how}`),
      ]),
    /** Every state that the page was told. */
    states,
    kept,
    drops: () => dropped,
    labels: () => editor.document.objects.map((object) => (object as { label: string }).label),
    async pass(ms: number): Promise<void> {
      now += ms;
      for (const [timer, { at, run }] of timers) {
        if (at > now) continue;
        timers.delete(timer);
        run();
      }
      await settle();
    },
    async answer(answer: Answer<Saved>): Promise<void> {
      saves.at(-1)!.answer(answer);
      await settle();
    },
    async theirs(doc: ChartDocument, updatedAt: number, by: string | null = 'Ann'): Promise<void> {
      looks.shift()!.answer({
        ok: true,
        value: { meta: { updatedAt } as OpenChart['meta'], doc, saves: [{ at: updatedAt, by }] },
      });
      await settle();
    },
    async looked(answer: Answer<OpenChart | null>): Promise<void> {
      looks.shift()!.answer(answer);
      await settle();
    },
    looks,
    keepsNothing(): void {
      isWritable = false;
    },
    saved: (updatedAt: number): Answer<Saved> => ({ ok: true, value: { meta: { updatedAt } } }),
    settle,
  };
}

export const renamed = (label: string): ChartDocument => chart(booth('a', label), booth('b', 'B'));
