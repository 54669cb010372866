/** Large chart documents are read away from the catalog's loop. */
import { Fault } from '@parterre/shared/protocol/errors';
import type { AskThread } from '@parterre/shared/protocol/job-thread';
import { largeBodyBytesMin } from '@parterre/shared/protocol/limits';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type FromDraftThread,
  readDraft,
  type ToDraftThread,
} from '../../../services/catalog/src/charts/draft-program.ts';
import { type DraftThread, judgeDraft, openDraft } from '../../../services/catalog/src/charts/draft-reader.ts';
import { packed } from '../../store/test-catalog.ts';
import { chart, row } from '../../support/charts.ts';

const asked: string[] = [];
beforeEach(() => void asked.splice(0));

const thread: DraftThread = {
  inTurn(party, run) {
    const ask: AskThread<ToDraftThread, FromDraftThread> = async (job) => {
      asked.push(`${party} ${job.type}`);
      return readDraft(job);
    };
    return run(ask);
  },
};
const broken: DraftThread = {
  inTurn: async () => {
    throw new Fault('The thread died.');
  },
};
const small = chart([row()]);
const large = { ...small, note: 'x'.repeat(largeBodyBytesMin) };

describe('a large document', () => {
  it('is opened in the thread, in turns of organisations, and a small one on the loop', async () => {
    expect(await openDraft(thread, 'org', packed(large))).toMatchObject({ ok: true, value: { seatTotal: 10 } });
    expect(asked).toEqual(['org open']);
    expect(await openDraft(thread, 'org', packed(small))).toMatchObject({ ok: true, value: { seatTotal: 10 } });
    expect(asked).toEqual(['org open']);
  });

  it('is judged by safe mode in the thread', async () => {
    const none = { ...large, objects: [] };
    const safe = { allowDeletingObjects: false } as never;
    const refused = await judgeDraft(thread, 'org', packed(large), packed(none), safe);
    expect(refused).toMatchObject({ ok: false, refusal: { reason: 'safe_mode' } });
    expect(await judgeDraft(thread, 'org', packed(large), packed(large), safe)).toBeNull();
    expect(asked).toEqual(['org judge', 'org judge']);
  });

  it('without the structure of a chart is refused by the thread', async () => {
    const refused = await openDraft(thread, 'org', packed({ ...large, objects: 1 }));
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
    expect(asked).toEqual(['org open']);
  });

  it('is 503 where the thread dies', async () => {
    const refused = { ok: false, refusal: { code: 'overloaded', retryable: true } };
    expect(await openDraft(broken, 'org', packed(large))).toMatchObject(refused);
    expect(await openDraft(broken, 'org', packed(small))).toMatchObject({ ok: true });
  });
});
