/**
 * Opens callers' chart documents. A document above `largeBodyBytesMin` is read in a thread (draft-program.ts), so that
 * the catalog answers for credentials meanwhile. Organisations take turns.
 *
 * Failures at the await: the thread dies or takes too long, or too many documents wait → 503 `overloaded`, `retryable`.
 * Nothing was stored.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskThread } from '@parterre/shared/protocol/job-thread';
import { chartBodyBytesMax, largeBodyBytesMin } from '@parterre/shared/protocol/limits';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import { type FromDraftThread, readDraft, type ToDraftThread, unreadable } from './draft-program.ts';

/** The thread, or a stand-in of it in tests. */
export type DraftThread = {
  inTurn<T>(party: string, run: (ask: AskThread<ToDraftThread, FromDraftThread>) => Promise<T>): Promise<T>;
};

/** `bytes` is the document as gzipped JSON. */
export type OpenedDraft = { bytes: Uint8Array; seatTotal: number; priceUnit?: PriceUnit };

const inflate = promisify(gunzip);

const tooLarge = refuse(
  'payload_too_large',
  `A chart document has at most ${chartBodyBytesMax} bytes. Send a smaller one.`,
);
const broken = refuse(
  'overloaded',
  'The document could not be read, because the reader of documents ended. Try again.',
  {
    retryable: true,
  },
);

/** Opens a gzipped document, checks its structure, gives a `curve` to every row without one, and sets its unit. */
export async function openDraft(
  thread: DraftThread | undefined,
  organisationId: string,
  bytes: Uint8Array,
  priceUnit?: PriceUnit,
): Promise<Outcome<OpenedDraft>> {
  let text: Buffer;
  try {
    text = await inflate(bytes, { maxOutputLength: chartBodyBytesMax });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : unreadable;
  }
  const answer = await askReader(
    thread,
    organisationId,
    { type: 'open', text, ...(priceUnit && { priceUnit }) },
    text.length,
  );
  if (answer === null) return broken;
  if (answer.type === 'refused') return answer.refused;
  if (answer.type !== 'opened') throw new Error(`open a draft: the reader answered ${answer.type}`);
  const { packed, type: _, ...opened } = answer;
  return done({ bytes: packed ?? bytes, ...opened });
}

/** The refusal of a draft that safe mode does not allow in place of the published document. Both are gzipped. */
export async function judgeDraft(
  thread: DraftThread | undefined,
  organisationId: string,
  publishedBytes: Uint8Array,
  draftBytes: Uint8Array,
  safe: NonNullable<DesignerSession['safe']>,
): Promise<Outcome<never> | null> {
  const [published, draft] = await Promise.all([inflate(publishedBytes), inflate(draftBytes)]);
  const job = { type: 'judge' as const, published, draft, safe };
  const answer = await askReader(thread, organisationId, job, published.length + draft.length);
  if (answer === null) return broken;
  return answer.type === 'refused' ? answer.refused : null;
}

/** Null: the thread failed. */
async function askReader(
  thread: DraftThread | undefined,
  organisationId: string,
  job: ToDraftThread,
  length: number,
): Promise<FromDraftThread | null> {
  if (thread === undefined || length <= largeBodyBytesMin) return readDraft(job);
  try {
    return await thread.inTurn(organisationId, (ask) =>
      // A text of this length has a buffer of its own.
      ask(job, job.type === 'open' ? [job.text.buffer as ArrayBuffer] : []),
    );
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
