/**
 * The public files of charts: what every buyer of an event sees, as bytes that proxies and pages may keep for ever. A
 * file follows from the event's plan and its hidden divisions alone, so every front door makes the same file under the
 * same hash. The hash is the SHA-256 of the JSON. Today one file has all that buyers see.
 *
 * States of a file: absent → waiting for its turn → making (its callers wait for it together) → kept with its
 * compressed forms, while all files fit into BYTES_MAX. A front door makes MAKING_MAX files at once, in the order of
 * their calls. Behind WAITING_MAX other files a call is refused. The plan's document cannot be had → the callers get
 * the refusal, and the file is absent again. An exception at an await is a bug: its callers get it, and the next file
 * has its turn.
 *
 * The facts of the last FACTS_MAX files outlast their bytes: an answer names a file without making it again.
 *
 * `namedAs` remembers, for the last NAMED_MAX hashes, the event and the visibility that a file was named for. A caller
 * with a forgotten hash names the event in the address (api/public-charts.ts).
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import { LRUCache } from 'lru-cache';
import { compressed, type Encoding, wholeBody } from '../answers/answers.ts';
import { createBytesCache } from './bytes-cache.ts';
import type { DocumentBytes } from './chart-documents.ts';
import { publicDocument, sectionIdsOf } from './rules/public-document.ts';

/** The facts of a file, without its bytes. An answer names the file by them. */
export type PublicChartFacts = {
  hash: string;
  /** Without compression. */
  bytes: number;
  /** The own ids of the file's sections behind `base`, which is all the rest. */
  parts: readonly string[];
  planHash: string;
  hidden: readonly string[];
};

export type PublicChart = { facts: PublicChartFacts; forms: Readonly<Record<Encoding | 'identity', Buffer>> };

/** The event that a file was named for last. */
export type NamedFile = Pick<PublicChartFacts, 'planHash' | 'hidden'> & { eventKey: string };

export type PublicCharts = {
  /** The file that buyers read while the divisions `hidden` are hidden. */
  of(plan: Plan, hidden: readonly string[]): Promise<Outcome<PublicChart>>;
  /** The same file, if it is kept here. */
  peek(plan: Plan, hidden: readonly string[]): PublicChart | undefined;
  /** The facts of the same file, if they are remembered. */
  factsOf(plan: Plan, hidden: readonly string[]): PublicChartFacts | undefined;
  note(facts: PublicChartFacts, eventKey: string): void;
  namedAs(hash: string): NamedFile | undefined;
};

const BYTES_MAX = 128 * 1024 * 1024;
const MAKING_MAX = 4;
const WAITING_MAX = 1_000;
const FACTS_MAX = 1_000;
const NAMED_MAX = 10_000;
const busy = refuse('overloaded', 'Too many charts are being prepared. Try again.', { retryable: true });

/** `published`: the document's JSON under a plan's hash. */
export function createPublicCharts(published: (hash: string) => Promise<Outcome<DocumentBytes>>): PublicCharts {
  const files = createBytesCache<PublicChart>(BYTES_MAX, ({ forms }) =>
    Object.values(forms).reduce((sum, { length }) => sum + length, 0),
  );
  const named = new LRUCache<string, NamedFile>({ max: NAMED_MAX });
  const facts = new LRUCache<string, PublicChartFacts>({ max: FACTS_MAX });
  const inTurn = createLimiter(MAKING_MAX);
  let asked = 0;

  async function makeInTurn(plan: Plan, hidden: readonly string[]): Promise<Outcome<PublicChart>> {
    if (asked >= MAKING_MAX + WAITING_MAX) return busy;
    asked++;
    try {
      return await inTurn(() => make(plan, hidden));
    } finally {
      asked--;
    }
  }

  async function make(plan: Plan, hidden: readonly string[]): Promise<Outcome<PublicChart>> {
    const whole = await published(plan.hash);
    if (!whole.ok) return whole;
    const chart = await fileOf(whole.value, plan, hidden);
    facts.set(nameOf(plan, hidden), chart.facts);
    return done(chart);
  }

  return {
    of: (plan, hidden) => files.get(nameOf(plan, hidden), () => makeInTurn(plan, hidden)),
    peek: (plan, hidden) => files.peek(nameOf(plan, hidden)),
    factsOf: (plan, hidden) => facts.get(nameOf(plan, hidden)),
    note({ hash, planHash, hidden }, eventKey) {
      if (named.get(hash)?.eventKey !== eventKey) named.set(hash, { eventKey, planHash, hidden });
    },
    namedAs: (hash) => named.get(hash),
  };
}

function nameOf({ hash }: Plan, hidden: readonly string[]): string {
  return `${hash} ${JSON.stringify(hidden)}`;
}

async function fileOf(whole: Buffer, plan: Plan, hidden: readonly string[]): Promise<PublicChart> {
  const { identity, parts } = partedJson(whole, plan, hidden);
  const form = async (encoding: Encoding) => wholeBody(await compressed(identity, encoding));
  const [br, gzip] = await Promise.all([form('br'), form('gzip')]);
  const facts = { hash: sha256(identity), bytes: identity.length, parts, planHash: plan.hash, hidden };
  return { facts, forms: { identity, br, gzip } };
}

/** The parsed document is gone before the compression, which takes long, begins. */
function partedJson(whole: Buffer, plan: Plan, hidden: readonly string[]) {
  const document = publicDocument(JSON.parse(whole.toString('utf8')) as ChartDocument, plan, hidden);
  return { identity: Buffer.from(JSON.stringify(document)), parts: ['base', ...sectionIdsOf(document)] };
}
