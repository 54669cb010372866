/**
 * What waits for the receivers of an event's webhooks, over all subscriptions that hear of the event. The catalog and a
 * notifier are asked at most every `KEPT_MS` for a scope, however many control rooms are open.
 *
 * Failure at each await: the catalog or the notifiers do not answer → null, and the next question comes as usual.
 */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { WebhookBacklog, WebhookSub } from '@parterre/shared/protocol/catalog/webhooks';
import { wallEventsMax } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { SECOND_MS } from '@parterre/shared/runtime/units';

/** `oldestAt` (epoch ms) is the oldest delivery that waits; null: none waits. */
export type WebhookLag = { subscriptions: number; paused: number; waiting: number; oldestAt: number | null };

export type WebhookLagPorts = {
  clock: Clock;
  catalog: CatalogClient;
  /** Null where no notifier answers. */
  backlogs(subIds: string[]): Promise<(WebhookBacklog | null)[] | null>;
};

type SubBacklog = { sub: WebhookSub; backlog: WebhookBacklog | null };
type LagReading = { at: number; heard: Promise<SubBacklog[] | null> };

const KEPT_MS = 5 * SECOND_MS;

export class WebhookLags {
  readonly #ports: WebhookLagPorts;
  readonly #readings: RecentMap<LagReading>;

  constructor(ports: WebhookLagPorts) {
    this.#ports = ports;
    this.#readings = new RecentMap(ports.clock, { entriesMax: wallEventsMax, keepMs: KEPT_MS });
  }

  async of(scope: Scope, event: { mode: string; workspaceId: string }): Promise<WebhookLag | null> {
    const heard = await this.#heard(scope);
    if (heard === null) return null;
    const its = heard.filter(({ sub }) => {
      const isOfMode = sub.mode === null || sub.mode === event.mode;
      return isOfMode && (sub.workspaceId === null || sub.workspaceId === event.workspaceId);
    });
    const oldest = its.flatMap(({ backlog }) => backlog?.oldestAt ?? []);
    return {
      subscriptions: its.length,
      paused: its.filter(({ sub }) => sub.disabled).length,
      waiting: its.reduce((sum, { backlog }) => sum + (backlog?.count ?? 0), 0),
      oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    };
  }

  #heard(scope: Scope): Promise<SubBacklog[] | null> {
    const { organisationId, mode, workspaceId, environment } = scope;
    const name = JSON.stringify([organisationId, mode, workspaceId, environment]);
    const known = this.#readings.get(name);
    const now = this.#ports.clock.elapsed();
    if (known && now - known.at < KEPT_MS) return known.heard;
    const heard = this.#read(scope);
    this.#readings.set(name, { at: now, heard });
    return heard;
  }

  async #read(scope: Scope): Promise<SubBacklog[] | null> {
    const listed = await this.#ports.catalog('webhooks.list', { scope });
    if (!listed.ok) return null;
    const { subs } = listed.value;
    const backlogs = subs.length === 0 ? [] : await this.#ports.backlogs(subs.map(({ id }) => id));
    return backlogs && subs.map((sub, at) => ({ sub, backlog: backlogs[at] ?? null }));
  }
}
