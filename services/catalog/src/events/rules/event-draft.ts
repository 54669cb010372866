/** From a caller's draft to the record of an event. */
import type { EventDraft, EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { EventConfig, Mode } from '@parterre/shared/protocol/records';
import type { ChartRecord, EventDocument } from '../../store/rules/records.ts';

export type EventGround = {
  id: string;
  organisationId: string;
  mode: Mode;
  environment: string | null;
  ownership: EventRecord['ownership'];
  now: number;
  chart: ChartRecord & { published: NonNullable<ChartRecord['published']> };
  organisationCurrency: string;
  workspaceRegion: string;
};

/** The document of a new event. Its key is chosen at the insert. Without a slug, the key is the event's claim. */
export function eventDocument(draft: EventDraft, ground: EventGround, key: string): EventDocument {
  const { chart, now } = ground;
  const priceUnit = draft.priceUnit ?? chart.published.priceUnit;
  return {
    id: ground.id,
    slug: draft.slug ?? null,
    slugClaim: draft.slug ?? key,
    gone: null,
    ahead: null,
    name: draft.name ?? chart.name,
    chartId: draft.chartId,
    status: 'active',
    salesPaused: false,
    seatTotal: chart.published.seatTotal,
    mode: ground.mode,
    environment: ground.environment,
    organisationId: ground.organisationId,
    workspaceId: chart.workspaceId,
    externalRef: draft.externalRef ?? null,
    currency: draft.currency ?? ground.organisationCurrency,
    ...(priceUnit && { priceUnit }),
    region: draft.region ?? ground.workspaceRegion,
    ownership: ground.ownership,
    startsAt: draft.startsAt ?? null,
    endsAt: draft.endsAt ?? null,
    venue: draft.venue ?? null,
    description: draft.description ?? null,
    timezone: draft.timezone ?? null,
    locale: draft.locale ?? null,
    posterAssetId: draft.posterAssetId ?? null,
    holdTtlMs: null,
    ...(draft.sectionStates && { sectionStates: draft.sectionStates }),
    ...(draft.selectionRules && { selectionRules: draft.selectionRules }),
    planHash: chart.published.hash,
    chartVersion: chart.published.version,
    createdAt: now,
    updatedAt: now,
  };
}

/** The event's configuration for its actor. */
export function configOf(event: EventRecord): EventConfig {
  const { organisationId, workspaceId, mode, ownership, externalRef, currency, planHash, chartVersion, holdTtlMs } =
    event;
  const { sectionStates, selectionRules, priceUnit } = event;
  return {
    eventId: event.id,
    eventKey: event.key,
    organisationId,
    workspaceId,
    mode,
    ownership,
    externalRef,
    currency,
    ...(priceUnit && { priceUnit }),
    planHash,
    chartVersion,
    holdTtlMs,
    ...(sectionStates && { sectionStates }),
    ...(selectionRules && { selectionRules }),
  };
}
