/**
 * Counts requests against budgets. The shard that owns a budget counts it for all front doors. Only a `local` budget is
 * counted by each front door by itself, without an await.
 *
 * Requests with a refused credential have two local budgets by address. `unknown-credentials` counts lookups that are
 * in vain, and refuses before the catalog is asked. A page that repeats one stale key costs few lookups, as an unknown
 * key is remembered (caches/credential-cache.ts). So this page does not keep other pages at its address from their
 * first lookup. `failed-credentials` counts every refusal of a credential, after the credential was checked. So this
 * budget refuses nobody whose credential is valid: it only turns a 401, 403 or 404 into a 429.
 *
 * The requests of one turn of the loop that count against one budget are one question, so a busy key costs one question
 * a turn. Nothing is leased ahead: requests that one front door has leased and not used would be missing at another,
 * and its callers would be refused too early. States of a question: open, until the end of its turn → asked → answered.
 *
 * A request may count as many: a call with many labels counts its labels (`weight`). It is a question of its own.
 *
 * States of a budget here: open (its owner is asked each time) → used up until its window ends → open. A window is
 * fixed: a used-up budget stays used up to the window's end, and until then requests are refused without asking the
 * owner. The end is computed twice, since the owner's answer takes time to come. The end counted from before the
 * question is never too late: from then on the owner is asked again. The end counted from the answer is never too
 * early: callers are told this end.
 *
 * Failure at the await: the owner is not reached by the request's deadline, because its partition has no owner or NATS
 * is gone. The request is refused with 503 `shard_unavailable`, `retryable`. The request did nothing, but may have been
 * counted. All requests of one question share this end. A takeover is faster than this deadline: requests wait for the
 * takeover and go on. The command that follows has the rest of the time.
 *
 * A budget of reads waits for its owner for `ownerPatienceMs` only. Then this front door counts the request by itself
 * (`localWithoutOwner`). So maps are shown while shards hang, or while their journal takes no appends.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { budgetWindowsMax, exhaustedBudgetsMax } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { FixedWindows, type Spent } from '@parterre/shared/runtime/fixed-windows';
import type { Sample } from '@parterre/shared/runtime/measures';
import type { EventAddress } from '@parterre/shared/runtime/placement';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import type { LookupGate } from '../caches/caches.ts';
import type { ShardClient } from '../shards/shard-client.ts';
import { BudgetUses } from './budget-uses.ts';
import { type Budget, type BudgetLimits, budgetAddress, credentialBudgets, limitedBudget } from './rules/budget.ts';
import { countedAddress } from './rules/client-address.ts';

export type Budgets = {
  /**
   * Counts one request under `countedAs`: a key's id, an address, and so on. The question to the owner takes a place of
   * the organisation; '' stands for a caller without one. `deadlineAt` is in `Clock.elapsed`. `weight`: the request
   * counts as so many, all of them or nothing. [1]
   */
  spend(
    budget: Budget,
    countedAs: string,
    organisationId: string,
    deadlineAt: number,
    weight?: number,
  ): Outcome<Spent> | Promise<Outcome<Spent>>;
  /**
   * Counts `amount` of a local budget. The count is allowed while the window has any room, so that an amount above the
   * limit is allowed once in a window. Null if the deployment lifts the budget.
   */
  charge(budget: Budget, countedAs: string, amount: number): Spent | null;
  /** Counts a request whose credential was refused. The refusal if its address has had too many of them; else null. */
  overFailures(address: string): Outcome<never> | null;
  /** Bounds the lookups of unknown credentials by address. */
  lookups: LookupGate;
  /** The limits of this deployment. */
  limits: BudgetLimits;
  /** The requests that budgets have refused here, for the metrics. */
  refused: RefusedRequests;
  /** The budgets near their bound, for control rooms. */
  uses: BudgetUses;
};

const ownerPatienceMs = 300;
/** The window of most budgets. If a window is longer, the owner is asked again from time to time. */
const USED_UP_KEEP_MS = 60_000;
const callersOverMax = 100;

/** `limit`: the budget is used up under this limit. A key whose limit was raised is asked for again at once. */
type UsedUp = { limit: number; refuseUntil: number; endsBy: number };

const unknownOnes = credentialBudgets.unknown;
const counting: Caller = { source: 'timer', actor: null, accessSource: 'public' };
/** No region: budgets live on the default range of partitions. */
const region = '';
const notCounted = refuse(
  'shard_unavailable',
  'The request could not be counted against its budget in time. Try again.',
  {
    retryable: true,
  },
);

/** `atTurnEnd` runs its argument at the end of this event-loop turn. */
export function createBudgets(
  clock: Clock,
  shards: ShardClient,
  limits: BudgetLimits = new Map(),
  atTurnEnd: (run: () => void) => void = setImmediate,
): Budgets {
  const questions = new Questions(shards, atTurnEnd);
  const local = new FixedWindows(clock, budgetWindowsMax);
  const usedUp = new RecentMap<UsedUp>(clock, { entriesMax: exhaustedBudgetsMax, keepMs: USED_UP_KEEP_MS });
  const refused = new RefusedRequests();

  function refusedHere(address: string, limit: number): Spent | null {
    const known = usedUp.get(address);
    const now = clock.elapsed();
    if (known === undefined || known.limit !== limit || now >= known.refuseUntil) return null;
    return { allowed: false, remaining: 0, resetAfterMs: known.endsBy - now };
  }

  function note(address: string, limit: number, askedAt: number, { resetAfterMs }: Spent): void {
    usedUp.set(address, { limit, refuseUntil: askedAt + resetAfterMs, endsBy: clock.elapsed() + resetAfterMs });
  }

  function counted({ name }: Budget, spent: Spent): Outcome<Spent> {
    if (!spent.allowed) refused.note(name);
    return done(spent);
  }

  function spendHere(budget: Budget, address: string, weight: number): Outcome<Spent> {
    return counted(budget, local.spendWhole(address, budget.limit, budget.windowMs, weight));
  }

  async function spendAtOwner(
    budget: Budget,
    address: string,
    organisationId: string,
    deadlineAt: number,
    weight: number,
  ): Promise<Outcome<Spent>> {
    const askedAt = clock.elapsed();
    const counter = { key: address, region, organisationId };
    const { localWithoutOwner = false } = budget;
    const endsAt = localWithoutOwner ? Math.min(deadlineAt, askedAt + ownerPatienceMs) : deadlineAt;
    const answer = await questions.spend(counter, budget, endsAt, weight);
    if (!answer.ok && answer.refusal.code !== 'shard_unavailable') return answer;
    if (!answer.ok) return localWithoutOwner ? spendHere(budget, address, weight) : notCounted;
    if (answer.value.remaining === 0) note(address, budget.limit, askedAt, answer.value);
    return counted(budget, answer.value);
  }

  const spend: Budgets['spend'] = (budget, countedAs, organisationId, deadlineAt, weight = 1) => {
    const address = budgetAddress(budget, countedAs);
    if (budget.local) return spendHere(budget, address, weight);
    const spent = refusedHere(address, budget.limit);
    return spent ? counted(budget, spent) : spendAtOwner(budget, address, organisationId, deadlineAt, weight);
  };

  /**
   * Counts by address here. The refusal if the budget is used up; null if not, or if the deployment lifts the budget.
   */
  function over(budget: Budget, address: string): Outcome<never> | null {
    const limited = limitedBudget(budget, limits, undefined);
    if (limited === null) return null;
    const spent = local.spend(namedHere(limited, address), limited.limit, limited.windowMs);
    counted(limited, spent);
    return spent.allowed ? null : tooManyFailures(spent);
  }

  return {
    spend,
    charge(budget, countedAs, amount) {
      const limited = limitedBudget(budget, limits, undefined);
      if (limited === null) return null;
      const address = budgetAddress(limited, countedAs);
      const { granted, ...spent } = local.spendMany(address, limited.limit, limited.windowMs, amount);
      const charged = { ...spent, allowed: granted > 0 };
      counted(limited, charged);
      return charged;
    },
    overFailures: (address) => over(credentialBudgets.failed, address),
    lookups: lookupGate(local, (address) => over(unknownOnes, address)),
    limits,
    refused,
    uses: new BudgetUses(clock),
  };
}

function lookupGate(local: FixedWindows, enter: LookupGate['enter']): LookupGate {
  return {
    enter,
    giveBack: (address) => local.giveBack(namedHere(unknownOnes, address), unknownOnes.windowMs),
  };
}

/** A key, or an organisation whose users and sessions come without a key (`key` is empty). */
type CallerOver = { key: string; organisation: string; byBudget: Map<string, number> };

/** Counts refused requests by budget, and those of the last `callersOverMax` callers that were over a budget. */
export class RefusedRequests {
  readonly byBudget = new Map<string, number>();
  /** The caller that was over a budget last is the last. */
  readonly #callers = new Map<string, CallerOver>();

  note(budget: string): void {
    this.byBudget.set(budget, (this.byBudget.get(budget) ?? 0) + 1);
  }

  noteCaller({ name }: Budget, key: string, organisation: string): void {
    const id = key || organisation;
    const caller = this.#callers.get(id) ?? { key, organisation, byBudget: new Map() };
    caller.byBudget.set(name, (caller.byBudget.get(name) ?? 0) + 1);
    this.#callers.delete(id);
    this.#callers.set(id, caller);
    if (this.#callers.size > callersOverMax) this.#callers.delete(this.#callers.keys().next().value!);
  }

  *byCaller(): Iterable<Sample> {
    for (const { key, organisation, byBudget } of this.#callers.values()) {
      for (const [budget, count] of byBudget) yield [{ budget, organisation, key }, count];
    }
  }
}

type Question = {
  /** The requests so far. */
  amount: number;
  deadlineAt: number;
  answer: Promise<Outcome<Answers['spend']>>;
  send(): void;
};

/** Questions to the owners of budgets. */
class Questions {
  readonly #shards: ShardClient;
  readonly #atTurnEnd: (run: () => void) => void;
  /**
   * The questions of this turn. A new map each turn: an emptied one could keep them all (shards/waiting-commands.ts).
   */
  #open = new Map<string, Question>();

  constructor(shards: ShardClient, atTurnEnd: (run: () => void) => void) {
    this.#shards = shards;
    this.#atTurnEnd = atTurnEnd;
  }

  /** Counts one request of this weight. Requests in one question have one deadline, the latest of theirs. */
  async spend(counter: EventAddress, budget: Budget, deadlineAt: number, weight: number): Promise<Outcome<Spent>> {
    if (weight !== 1) return this.#spendWhole(counter, budget, deadlineAt, weight);
    const name = `${counter.organisationId} ${budget.limit} ${counter.key}`;
    const question = this.#open.get(name) ?? this.#ask(name, counter, budget);
    const place = question.amount++;
    question.deadlineAt = Math.max(question.deadlineAt, deadlineAt);
    const answer = await question.answer;
    // A question of one request names no `granted`.
    if (!answer.ok || answer.value.granted === undefined) return answer;
    const { granted, remaining, resetAfterMs } = answer.value;
    if (place >= granted) return done({ allowed: false, remaining, resetAfterMs });
    return done({ allowed: true, remaining: remaining + granted - 1 - place, resetAfterMs });
  }

  /** Counts one request of this weight, or nothing. */
  #spendWhole(
    counter: EventAddress,
    { limit, windowMs }: Budget,
    deadlineAt: number,
    weight: number,
  ): Promise<Outcome<Answers['spend']>> {
    return this.#shards.submit(counter, counting, { type: 'spend', limit, windowMs, weight }, deadlineAt);
  }

  #ask(name: string, counter: EventAddress, budget: Budget): Question {
    const question = { amount: 0, deadlineAt: Number.NEGATIVE_INFINITY } as Question;
    question.answer = new Promise((resolve) => {
      question.send = () => resolve(this.#submit(counter, budget, question.amount, question.deadlineAt));
    });
    if (this.#open.size === 0) this.#atTurnEnd(() => this.#sendAll());
    this.#open.set(name, question);
    return question;
  }

  #sendAll(): void {
    const open = this.#open;
    this.#open = new Map();
    for (const question of open.values()) question.send();
  }

  async #submit(
    counter: EventAddress,
    { limit, windowMs }: Budget,
    amount: number,
    deadlineAt: number,
  ): Promise<Outcome<Answers['spend']>> {
    const command = { type: 'spend' as const, limit, windowMs };
    return this.#shards.submit(counter, counting, amount === 1 ? command : { ...command, amount }, deadlineAt);
  }
}

function namedHere(budget: Budget, address: string): string {
  return budgetAddress(budget, countedAddress(address));
}

/** Rounded up: a caller that waits this long comes after the window's end. */
export function secondsOf(resetAfterMs: number): number {
  return Math.max(1, Math.ceil(resetAfterMs / 1000));
}

function tooManyFailures({ resetAfterMs }: Spent): Outcome<never> {
  const message =
    'Too many requests from this address have had an invalid credential. Wait, then send a valid credential.';
  return refuse('rate_limited', message, { details: { retryAfterSeconds: secondsOf(resetAfterMs) } });
}
