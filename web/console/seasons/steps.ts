/**
 * Moves of a season or group: each is told before it is done, names the revision that the page has read, and is
 * followed to its end.
 *
 * States of a step: asked → taken → (polled while it goes on) → ended, with a code where it failed. A page that is
 * left follows no more; the server goes on by itself. Two people at once: the second names an old revision, and is
 * refused.
 */
import { html, type TemplateResult } from 'lit-html';
import type { Result } from '../../src/sale/calls.ts';
import { beside, type ViewAddress } from '../address.ts';
import type { Ports } from '../view.ts';
import type { Lifecycle } from './records.ts';

const POLL_EVERY_MS = 1_000;

export type Move = {
  title: string;
  told: string;
  confirm: string;
  done: string;
  path: string;
  revision: number;
  isDanger?: boolean;
  /** The path of the opposite move, and the revision that it names. */
  undo?: { path: string; revisionOf(answer: unknown): number };
};

type Taken = { lifecycleOperation?: Lifecycle };

/** `owner` is the path of the season or group; `reread` reads it anew. */
export function askMove(ports: Ports, owner: string, move: Move, left: AbortSignal, reread: () => Promise<void>): void {
  const send = (path: string, expectedRevision: number, key: string): Promise<Result<Taken>> =>
    ports.server.send('POST', `${owner}/${path}`, { body: { expectedRevision }, key });
  ports.ask<Taken>({
    title: move.title,
    confirm: move.confirm,
    isDanger: move.isDanger === true,
    draw: (): TemplateResult => html`<p>${move.told}</p>`,
    async send(_, key) {
      const answer = await send(move.path, move.revision, key);
      if (!answer.ok) void reread();
      return answer;
    },
    async done(taken) {
      const ended = await followed(ports, owner, taken, left, reread);
      if (left.aborted) return;
      const { text } = ports.words;
      const { undo } = move;
      ports.tell({
        text: ended === null ? move.done : text('seasons.step.failed', { code: ended }),
        ...(undo &&
          ended === null && {
            undo: async (key: string) => {
              const undone = await send(undo.path, undo.revisionOf(taken), key);
              void reread();
              return undone;
            },
          }),
      });
    },
  });
}

/** The code of a step that failed; null for one that ended well. */
async function followed(
  { server }: Ports,
  owner: string,
  { lifecycleOperation: first }: Taken,
  left: AbortSignal,
  reread: () => Promise<void>,
): Promise<string | null> {
  let step = first;
  await reread();
  while (step && !step.terminal && !left.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    const answer = await server.get<Taken>(`${owner}/lifecycle/${step.operationId}`, left);
    if (answer.ok) step = answer.value.lifecycleOperation;
    await reread();
  }
  return step?.code ?? null;
}

/** Deletes a draft, and goes back to the list. */
export function askDelete(ports: Ports, owner: string, name: string, place: ViewAddress): void {
  const { text } = ports.words;
  ports.ask({
    title: text('seasons.delete.title', { name }),
    confirm: text('seasons.delete'),
    isDanger: true,
    draw: () => html`<p>${text('seasons.delete.told')}</p>`,
    send: (_, key) => ports.server.send('DELETE', owner, { key }),
    done: () => {
      ports.tell({ text: text('seasons.deleted', { name }) });
      ports.go(beside(place, ['seasons']));
    },
  });
}
