/**
 * Looks for issues of the document after a pause in its changes, in a thread of its own: a look at 100,000 seats takes
 * a tenth of a second, which a page that is panned does not have. The rules are the server's, which check a document as
 * a whole, so they run in a thread rather than in slices. The page itself copies changed objects in slices of a few
 * milliseconds.
 *
 * States: idle → waiting for a pause → sending → checking → idle. A change while the objects are sent begins the pause
 * anew; a change while the thread checks begins it after the answer. One check is under way at a time. A thread that
 * fails is given up, and the next change makes another; until then the last answer stands, and is told as old.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Editor } from '../document/editor.ts';
import { type Checked, Sender } from './messages.ts';

const PAUSE_MS = 500;
/** Plain rows that are copied in about a millisecond. */
const SLICE_WEIGHT = 200;

/** `answered` is called after each check, with null for a check that failed. */
export function createChecker(
  editor: Pick<Editor, 'document' | 'subscribe'>,
  answered: (checked: Checked | null) => void,
) {
  let thread: { worker: Worker; sender: Sender } | null = null;
  let checking: ChartDocument | null = null;
  let checked: ChartDocument | null = null;
  let hasFailed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): { worker: Worker; sender: Sender } {
    const worker = new Worker(new URL('./designer-check.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Checked>) => {
      checked = checking;
      checking = null;
      answered(data);
      if (checked !== editor.document) later();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail();
    };
    worker.onmessageerror = fail;
    return { worker, sender: new Sender() };
  }

  function fail(): void {
    clearTimeout(timer);
    thread?.worker.terminate();
    thread = null;
    checking = null;
    hasFailed = true;
    answered(null);
  }

  function later(): void {
    if (checking) return;
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE_MS);
  }

  function check(): void {
    if (checked === editor.document) return;
    hasFailed = false;
    thread ??= start();
    const { document } = editor;
    const messages = thread.sender.messages(document, SLICE_WEIGHT);
    const send = (): void => {
      const { value, done } = messages.next();
      if (done || !thread) return;
      if (value.type === 'check') checking = document;
      thread.worker.postMessage(value);
      if (value.type === 'objects') timer = setTimeout(send, 0);
    };
    send();
  }

  const unsubscribe = editor.subscribe(({ isDocument }) => {
    if (isDocument) later();
  });
  later();

  return {
    isFresh: (): boolean => checked === editor.document,
    hasFailed: (): boolean => hasFailed,
    end(): void {
      clearTimeout(timer);
      unsubscribe();
      thread?.worker.terminate();
    },
  };
}
