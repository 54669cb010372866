/**
 * The calls of an event's buyers and the credential behind them, in one of four ways: a publishable key that is
 * exchanged for a session of its own (bootstrap), the same key as a bearer, the capability of an access link, or the
 * host's function that gives a session's token. A link is redeemed once for a tab: its session is kept over reloads,
 * and the link is redeemed again only when the session has ended.
 *
 * Each answer that opens a sale asks for public files (`files=1`). A server without them answers with the chart itself.
 *
 * Failure at each await: see calls.ts. A redemption is never repeated automatically, since each one counts. Calls to
 * hold carry an Idempotency-Key, so they may be repeated after a lost answer.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import type { ChartFile } from '../rules/chart-files.ts';
import type { Offers } from '../rules/prices.ts';
import type { SelectionRules } from '../rules/selection-rules.ts';
import type { SnapshotFrame } from '../rules/statuses.ts';
import type { ToldPause } from '../rules/waiting.ts';
import { type Access, type PageStorage, tailOf } from './access.ts';
import { ANSWER_MS_MAX, ask, createCalls, hostsToken, load, patiently, type Result } from './calls.ts';
import type { Clock } from './clock.ts';
import { eventAddress } from './early.ts';

export type BuyerEvent = {
  key: string;
  name: string;
  status: string;
  salesClosed: boolean;
  /** `presale` before the sale begins, at `opensAt`; absent from older servers. */
  state?: string;
  opensAt?: number | null;
  salesStartAt?: number | null;
  salesEndAt?: number | null;
  companionsUntil?: number | null;
  venue: string | null;
  startsAt: number | null;
  timezone: string | null;
  locale: string | null;
  currency: string;
  /** Of all amounts. Major from servers without the field. */
  priceUnit?: PriceUnit;
  selectionRules?: SelectionRules | null;
};

/** The statuses of a chart's units. */
export type Objects = Omit<SnapshotFrame, 'type'>;

/**
 * `snapshotVersion` is of the chart: the statuses at `statusesUrl` may be older or newer. `availability` comes with a
 * fresh session of public sale, where the server has it at hand.
 */
export type ListedChart = {
  event: BuyerEvent;
  files: readonly ChartFile[];
  statusesUrl: string;
  snapshotVersion: number;
  availability?: Availability;
};

/** From a server without public files. Without `objects` the statuses are still unknown. */
export type WholeChart = { event: BuyerEvent; doc: ChartDocument; objects?: Objects };

/** From `GET availability`: whether there is something to buy, and the prices. */
export type Availability = ToldPause & {
  salesEndAt?: number | null;
  companionsUntil?: number | null;
  prices?: Offers['prices'];
  offers?: Offers['releases'];
  linkedOffers?: Offers['linked'];
  channelPricing?: {
    channels: Offers['channels'];
    objects: { label: string; channelId: string }[];
  } | null;
};

export type OpenedSale = ListedChart | WholeChart;

export type Api = ReturnType<typeof createApi>;

type Token = { token: string; opened: OpenedSale | null };

export function createApi(
  baseUrl: string,
  eventKey: string,
  access: Access,
  clock: Clock,
  storage: PageStorage = null,
) {
  const base = eventAddress(baseUrl, eventKey);
  const session = 'capability' in access ? sessionOf(storage, eventKey, access.capability) : null;
  const bearer = 'publicKey' in access && access.bearer ? access.publicKey : null;
  const calls = createCalls<OpenedSale>(base, clock, { first: bearer ?? session?.get() ?? null, obtain });

  async function obtain(): Promise<Result<Token>> {
    if ('capability' in access) return redeem(access.capability);
    if (!('publicKey' in access)) return hostsToken(access.token);
    if (bearer !== null) return { ok: true, value: { token: bearer, opened: null } };
    const body = JSON.stringify({ publicKey: access.publicKey });
    // A plain-text request needs no preflight.
    return withChart(
      await patiently((signal) =>
        ask<OpenedSale & { token: string }>(base, 'bootstrap?files=1', 'POST', {
          body,
          type: 'text/plain',
          clock,
          signal,
        }),
      ),
    );
  }

  async function redeem(capability: string): Promise<Result<Token>> {
    const body = JSON.stringify({ capability });
    const sent = { body, type: 'text/plain', clock, signal: AbortSignal.timeout(ANSWER_MS_MAX) };
    const answer = await ask<OpenedSale & { token: string }>(base, 'access-links/redeem?files=1', 'POST', sent);
    session?.set(answer.ok ? answer.value.token : null);
    return answer.ok ? withChart(answer) : { ...answer, problem: { ...answer.problem, ofLink: true } };
  }

  return {
    call: calls.call,
    renew: calls.renew,
    socketUrl: `${base.replace(/^http/, 'ws')}/subscribe`,
    /** The event and its chart, with a fresh credential when there is none. */
    async open(): Promise<Result<OpenedSale>> {
      const opened = await calls.open();
      if (!opened.ok) return opened;
      return opened.value ? { ok: true, value: opened.value } : calls.call<OpenedSale>('GET', 'chart?files=1');
    },
    /** A public file, at the address that an answer told. `once`: a call without an answer is not repeated. */
    load<T>(url: string, cache: 'default' | 'no-cache', once = false): Promise<Result<T>> {
      const send = (signal: AbortSignal) => load<T>(new URL(url, base).href, { signal, cache });
      return once ? send(AbortSignal.timeout(ANSWER_MS_MAX)) : patiently(send);
    },
  };
}

function withChart(answer: Result<OpenedSale & { token: string }>): Result<Token> {
  return answer.ok ? { ok: true, value: { token: answer.value.token, opened: answer.value } } : answer;
}

/** The storage key of a link's session; another link of the same event has its own. */
function sessionOf(storage: PageStorage, eventKey: string, capability: string) {
  const name = `parterre:session:${eventKey}:${tailOf(capability)}`;
  return {
    get: () => storage?.getItem(name) ?? null,
    set: (token: string | null) => (token === null ? storage?.removeItem(name) : storage?.setItem(name, token)),
  };
}
