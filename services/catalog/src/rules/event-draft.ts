/** From what a caller asks for to the record of an event. */

import type { EventDraft, EventRecord } from '@parterre/shared/catalog/events';
import type { Issue } from '@parterre/shared/errors';
import type { EventConfig, Mode } from '@parterre/shared/records';
import { regions } from '@parterre/shared/vocabulary';
import type { ChartRecord, EventDocument } from './records.ts';

export type EventGround = {
  id: string;
  organisationId: string;
  mode: Mode;
  now: number;
  chart: ChartRecord & { published: NonNullable<ChartRecord['published']> };
  organisationCurrency: string;
  workspaceRegion: string;
};

/** What is wrong with a draft beyond its form. */
export function draftIssues(draft: EventDraft): Issue[] {
  const issues: Issue[] = [];
  const { startsAt, endsAt, region, timezone, locale } = draft;
  if (endsAt != null && startsAt != null && endsAt < startsAt) {
    issues.push({ path: 'endsAt', message: 'Must not be before startsAt.' });
  }
  if (region !== undefined && !regions.some((known) => known === region)) {
    issues.push({ path: 'region', message: `Must be one of ${regions.join(', ')}.` });
  }
  if (timezone != null && !isTimezone(timezone)) {
    issues.push({ path: 'timezone', message: 'Must be the name of an IANA time zone.' });
  }
  if (locale != null && !isLocale(locale)) {
    issues.push({ path: 'locale', message: 'Must be a BCP 47 language tag.' });
  }
  return issues;
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    // RangeError is how Intl says that it does not know the zone.
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    // RangeError is how Intl says that the tag is malformed.
    return false;
  }
}

/** The document of a new event. Its key is chosen when it is inserted; without a slug the key claims itself. */
export function eventDocument(draft: EventDraft, ground: EventGround, key: string): EventDocument {
  const { chart, now } = ground;
  return {
    id: ground.id,
    slug: draft.slug ?? null,
    slugClaim: draft.slug ?? key,
    name: draft.name ?? chart.name,
    chartId: draft.chartId,
    status: 'active',
    salesPaused: false,
    seatTotal: chart.published.seatTotal,
    mode: ground.mode,
    organisationId: ground.organisationId,
    workspaceId: chart.workspaceId,
    externalRef: draft.externalRef ?? null,
    currency: draft.currency ?? ground.organisationCurrency,
    region: draft.region ?? ground.workspaceRegion,
    ownership: 'platform',
    startsAt: draft.startsAt ?? null,
    endsAt: draft.endsAt ?? null,
    venue: draft.venue ?? null,
    description: draft.description ?? null,
    timezone: draft.timezone ?? null,
    locale: draft.locale ?? null,
    posterAssetId: null,
    holdTtlMs: null,
    planHash: chart.published.hash,
    chartVersion: chart.published.version,
    createdAt: now,
    updatedAt: now,
  };
}

/** What the event's actor must know of it. */
export function configOf(event: EventRecord): EventConfig {
  const { organisationId, workspaceId, mode, ownership, externalRef, currency, planHash, chartVersion, holdTtlMs } =
    event;
  return {
    eventId: event.id,
    eventKey: event.key,
    organisationId,
    workspaceId,
    mode,
    ownership,
    externalRef,
    currency,
    planHash,
    chartVersion,
    holdTtlMs,
  };
}
