/**
 * `npx parterre webhook list|show|resume|recover`: the subscriptions of all organisations or of one, their health, and
 * the deliveries that wait. The calls are those of a dashboard, in the name of `operator`.
 *
 * Failure at each await: no catalog → `Refused`; no notifier → what waits is unknown.
 */
import type { WebhookBacklog, WebhookSub } from '../../shared/src/protocol/catalog/webhooks.ts';
import type { Outcome } from '../../shared/src/protocol/errors.ts';
import { subjects } from '../../shared/src/protocol/subjects.ts';
import { decode, encode } from '../../shared/src/protocol/wire.ts';
import { Refused } from '../backup/refused.ts';
import { operatorOf } from './event.ts';
import type { Looking } from './gather.ts';

export type OwnedWebhook = WebhookSub & { organisation: string; waiting: WebhookBacklog | null };

const answerMs = 10_000;
const backlogsAtOnce = 50;

/** Of one organisation, or of all. */
export async function readWebhooks(looking: Looking, organisation: string | null): Promise<OwnedWebhook[]> {
  const organisations = organisation === null ? await organisationIds(looking) : [organisation];
  const found: OwnedWebhook[] = [];
  for (const id of organisations) {
    const { subs } = unwrap(await looking.catalog('webhooks.list', { scope: operatorOf(id) }));
    found.push(...subs.map((sub) => ({ ...sub, organisation: id, waiting: null })));
  }
  for (let from = 0; from < found.length; from += backlogsAtOnce) {
    const some = found.slice(from, from + backlogsAtOnce);
    const backlogs = await readBacklogs(
      looking,
      some.map(({ id }) => id),
    );
    for (const [index, webhook] of some.entries()) webhook.waiting = backlogs?.[index] ?? null;
  }
  return found;
}

export async function organisationIds({ catalog }: Looking): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = unwrap(await catalog('organisations.list', { page: { limit: 200, ...(cursor && { cursor }) } }));
    ids.push(...page.organisations.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined) return ids;
  }
}

/** Null where no notifier answers. */
async function readBacklogs({ nats }: Looking, subIds: string[]): Promise<WebhookBacklog[] | null> {
  try {
    const message = await nats.request(subjects.notifier('backlogs'), encode({ subIds }), { timeout: answerMs });
    const outcome = decode<Outcome<{ backlogs: WebhookBacklog[] }>>(message.data);
    return outcome.ok ? outcome.value.backlogs : null;
  } catch {
    return null;
  }
}

export async function webhookList(looking: Looking, organisation: string | null): Promise<Record<string, unknown>> {
  const webhooks = await readWebhooks(looking, organisation);
  return {
    webhooks: webhooks.map((webhook) => {
      const { id, url, pausedReason, lastStatus, lastAt, uptime7d, waiting } = webhook;
      const state = webhook.disabled ? `paused (${pausedReason ?? 'unknown'})` : 'active';
      return {
        id,
        organisation: webhook.organisation,
        url,
        state,
        lastStatus,
        lastAt,
        uptime7d,
        waiting: waiting?.count ?? null,
        oldestAt: waiting?.oldestAt ?? null,
      };
    }),
  };
}

export async function webhookShow(looking: Looking, id: string): Promise<Record<string, unknown>> {
  const { waiting, ...webhook } = await findWebhook(looking, id);
  return {
    ...webhook,
    waiting: waiting?.count ?? 'no notifier tells',
    waitingBytes: waiting?.bytes ?? null,
    oldestWaitingAt: waiting?.oldestAt ?? null,
  };
}

/** Ends a pause. What happened meanwhile is queued again, as for a resume on the dashboard. */
export async function webhookResume(looking: Looking, id: string): Promise<Record<string, unknown>> {
  const { organisation } = await findWebhook(looking, id);
  const scope = operatorOf(organisation);
  const { sub } = unwrap(await looking.catalog('webhooks.update', { scope, id, changes: { disabled: false } }));
  return { organisation, ...sub };
}

/** Queues again what did not arrive since then. `ago`: as `2h`. */
export async function webhookRecover(looking: Looking, id: string, ago: string): Promise<Record<string, unknown>> {
  const since = Date.now() - durationMs(ago);
  const { organisation } = await findWebhook(looking, id);
  const { sub } = unwrap(await looking.catalog('webhooks.recover', { scope: operatorOf(organisation), id, since }));
  return { organisation, since: new Date(since).toISOString(), ...sub };
}

async function findWebhook(looking: Looking, id: string): Promise<OwnedWebhook> {
  const found = (await readWebhooks(looking, null)).find((webhook) => webhook.id === id);
  if (found) return found;
  throw new Refused(`not_found: There is no webhook ${id}. \`parterre webhook list\` has the ids.`);
}

const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined) throw new Refused(`"${text}" is no duration. Write 30m, 2h or 1d.`);
  return Number(number) * unitsMs[unit]!;
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Refused(`${outcome.refusal.code}: ${outcome.refusal.message}`);
}
