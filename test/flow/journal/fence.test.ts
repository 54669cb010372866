/**
 * Fences and lost acks on every supported kind of server: Debian 12's version as one server, the current version as one
 * and as a cluster of three. Of two appends with the same expected sequence one wins. No append of an old epoch stands
 * behind a newer epoch, however late it comes. The journal tells truly whether an append without an ack landed.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { appendWindow } from '@parterre/shared/protocol/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureJournalStream } from '../../../services/inventory-shard/src/journal/streams.ts';
import { epochsIn, journalOn, reopened, type TestJournal } from '../../support/partition/journals.ts';
import { Link } from '../../support/servers/link.ts';
import { natsReleases, startNats, startNatsCluster } from '../../support/servers/nats.ts';

const sync = '2m';
const kinds = [
  ...natsReleases.map(({ version }) => ({
    kind: version ?? 'one current server',
    replicas: 1,
    start: () => startNats({ sync, version }),
  })),
  { kind: 'three current servers', replicas: 3, start: () => startNatsCluster(3, { sync }) },
];
const RACES = 200;
const LATE_TRIALS = 15;

describe.each(kinds)('$kind', ({ replicas, start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let link: Link;
  /** `near` connects straight to the server, `far` over the link. */
  let near: NatsConnection;
  let far: NatsConnection;
  let partition = 0;

  beforeAll(async () => {
    server = await start();
    const [url] = server.url.split(',');
    link = await Link.to(url!);
    near = await connect({ servers: server.url.split(',') });
    far = await connect({ servers: link.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  }, 300_000);
  afterAll(async () => {
    await Promise.all([near?.close(), far?.close()]);
    await link?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    partition++;
    await ensureJournalStream(await jetstreamManager(near), partition, replicas);
  });

  const fill = ({ append }: TestJournal) => Array.from({ length: appendWindow }, append);

  test(`of two appends with the same expected sequence exactly one wins, ${RACES} times`, async () => {
    const { journal } = await journalOn(near, partition, 'first');
    await journal.open();
    let expected = 1;
    for (let race = 0; race < RACES; race++) {
      const tries = [near, far].map((nats, racer) =>
        nats
          .request(`journal.${partition}._`, `${race} ${racer}`, { headers: expecting(expected), timeout: 5_000 })
          .then((answer) => answer.json<{ seq?: number; error?: { err_code: number } }>()),
      );
      const answers = await Promise.all(tries);
      expect(answers.map(({ error }) => error?.err_code).filter(Boolean)).toEqual([10_071]);
      expect(answers.filter(({ error }) => !error).map(({ seq }) => seq)).toEqual([expected + 1]);
      expected++;
    }
  });

  test('appends that an old owner had in flight are all refused behind the fence', async () => {
    const old = await journalOn(far, partition, 'old');
    await old.journal.open();
    old.append();
    await old.commits(1);
    link.freeze();
    const late = fill(old);
    const fresh = await journalOn(near, partition, 'fresh');
    expect(await fresh.journal.open()).toMatchObject({ epoch: 2 });
    link.restore();
    expect(await old.end).toContain('wrong last sequence');
    await far.flush();
    expect(await old.journal.open()).toBeNull();
    expect(await Promise.all(late.map((group) => old.journal.landed(group)))).toEqual(late.map(() => false));
    fresh.append();
    await fresh.commits(1);
    expect((await epochsIn(near, partition)).map(({ epoch }) => epoch)).toEqual([
      1,
      1,
      ...Array.from({ length: appendWindow + 1 }, () => 2),
    ]);
  });

  test(`late appends of an old owner do not land during the fence either, ${LATE_TRIALS} times`, async () => {
    let owner = await journalOn(far, partition, 'owner 0');
    await owner.journal.open();
    for (let trial = 1; trial <= LATE_TRIALS; trial++) {
      link.freeze();
      fill(owner);
      const heir = await journalOn(near, partition, `heir ${trial}`);
      const fence = heir.journal.open();
      // The late appends come during the fence, or right before or after it.
      setTimeout(() => link.restore(), trial % 5);
      expect(await fence).not.toBeNull();
      // Either all late appends came before the fence, or none landed after the fence's first record.
      await Promise.race([owner.end, owner.commits(appendWindow)]);
      owner.journal.close();
      heir.append();
      await heir.commits(1);
      heir.journal.close();
      owner = await journalOn(far, partition, `owner ${trial}`);
      expect(await owner.journal.open()).not.toBeNull();
    }
    const epochs = (await epochsIn(near, partition)).map(({ epoch }) => epoch);
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  });

  test('after a cut in mid-window the journal tells which groups landed, as the log has them', async () => {
    const { journal, append, end } = await journalOn(far, partition, 'one');
    await journal.open();
    const sent = Array.from({ length: appendWindow / 2 }, append);
    // The server has all of these, but no ack arrived. The server never gets the later ones.
    await far.flush();
    const lost = Array.from({ length: appendWindow / 2 }, append);
    link.cut();
    journal.breakOff('connection lost');
    await end;
    link.restore();
    expect(await reopened(journal)).toMatchObject({ quietMs: 0 });
    const told = await Promise.all([...sent, ...lost].map((group) => journal.landed(group)));
    const standing = (await epochsIn(near, partition)).filter(({ epoch, isRecord }) => epoch === 1 && !isRecord);
    expect(told).toEqual(told.map((_, index) => index < standing.length));
    expect(standing.length).toBeGreaterThanOrEqual(sent.length);
  });

  test('acks that never come break the journal, which tells afterwards that the group landed', async () => {
    const { journal, append, committed, end } = await journalOn(far, partition, 'one');
    await journal.open();
    // Only the way back is frozen: the server has the append, and its ack never arrives.
    link.freeze('back');
    const group = append();
    expect(await end).toContain('no ack within');
    expect(committed).toEqual([]);
    link.restore();
    await reopened(journal);
    expect(await journal.landed(group)).toBe(true);
  });
});

function expecting(lastSequence: number): MsgHdrs {
  const meta = headers();
  meta.set('Nats-Expected-Last-Sequence', String(lastSequence));
  return meta;
}
