/** Performance groups and a season whose sales are open, with a session for each buyer. */
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import { expect } from 'vitest';
import { type Access, call } from './aftermath.ts';

/** `planActivationId`: the plan of a season that is sold. It has all events. Null for a group. */
export type OnSale = OperationOwner & { eventKeys: string[]; sessions: string[]; planActivationId: string | null };
export type SaleTerms = { eventKeys: string[]; buyers: number; origin: string };

type Step = { lifecycleOperation?: { operationId: string; phase: string } };

const stepMs = 20_000;

export async function openGroup(access: Access, terms: SaleTerms): Promise<OnSale> {
  const { eventKeys } = terms;
  const body = { name: 'Run', eventKeys };
  const path = '/v1/performance-groups';
  const { performanceGroup } = await call<{ performanceGroup: { key: string } }>(access, 'POST', path, body);
  const { key } = performanceGroup;
  const at = `${path}/${key}`;
  await awaitStep(access, at, await call(access, 'POST', `${at}/activate`, { expectedRevision: 1 }));
  return { kind: 'group', key, eventKeys, sessions: await mint(access, at, terms), planActivationId: null };
}

export async function openSeason(access: Access, terms: SaleTerms): Promise<OnSale> {
  const { eventKeys } = terms;
  type Season = { season: { key: string; revision: number; plans: { activationId: string }[] } };
  const { season } = await call<Season>(access, 'POST', '/v1/seasons', { name: 'Pass', eventKeys });
  const { key } = season;
  const at = `/v1/seasons/${key}`;
  const read = async () => (await call<Season>(access, 'GET', at)).season;
  const step = async (what: string) => {
    const { revision: expectedRevision } = await read();
    await awaitStep(access, at, await call(access, 'POST', `${at}/${what}`, { expectedRevision }));
  };
  await step('activate');
  const { plan } = await call<{ plan: { key: string } }>(access, 'POST', `${at}/plans`, { name: 'Full pass' });
  await step(`plans/${plan.key}/publish`);
  await step('sales/open');
  const planActivationId = (await read()).plans[0]!.activationId;
  return { kind: 'season', key, eventKeys, sessions: await mint(access, at, terms), planActivationId };
}

/** A move of the sales has no operation, and is done at once. */
async function awaitStep(access: Access, at: string, { lifecycleOperation }: Step): Promise<void> {
  if (!lifecycleOperation) return;
  const path = `${at}/lifecycle/${lifecycleOperation.operationId}`;
  const phase = async () => (await call<Required<Step>>(access, 'GET', path)).lifecycleOperation.phase;
  await expect.poll(phase, { timeout: stepMs }).toMatch(/^(active|published)$/);
}

/** The token of a session for each buyer. */
function mint(access: Access, at: string, { buyers, origin }: SaleTerms): Promise<string[]> {
  const asked = { includePublic: true, allowedOrigin: origin };
  const minted = async () =>
    (await call<{ token: string }>(access, 'POST', `${at}/buyer-access-sessions`, asked)).token;
  return Promise.all(Array.from({ length: buyers }, minted));
}
