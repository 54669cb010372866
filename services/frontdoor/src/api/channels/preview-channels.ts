/**
 * `GET …/channels/preview`: the event as a buyer with the given reach sees it. The view comes from the event's actor,
 * not from this front door's replica, so that a caller who has just assigned seats sees the result.
 */
import type { EventView } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { noScopes } from '@parterre/shared/chart/scopes';
import { done } from '@parterre/shared/errors';
import { unpackStatuses } from '@parterre/shared/packed-statuses';
import type { Reach } from '@parterre/shared/records';
import type { z } from 'zod';
import { preparedJson } from '../../answers/answers.ts';
import { buyerAudience, channelMapOf, Picture } from '../../pictures/pictures.ts';
import { ask, type EventCall, planOf } from '../calls/calls.ts';
import { channelPreview } from './channel-preview.ts';
import { checkChannels } from './known-channels.ts';
import type { previewQuery } from './queries.ts';

type Query = z.output<typeof previewQuery>;

export async function previewChannels(call: EventCall<unknown, Query>) {
  const reach = reachOf(call.query);
  const [known, view] = await Promise.all([checkChannels(call, reach.channelIds), ask(call, { type: 'view' })]);
  if (!known.ok) return known;
  if (!view.ok) return view;
  const plan = await planOf(call, view.value.planHash);
  if (!plan.ok) return plan;
  const picture = pictureOf(plan.value, view.value);
  const shown = picture.shownTo(buyerAudience(reach));
  return done(preparedJson(channelPreview(plan.value, shown, picture.channels, reach)));
}

/** A picture like the pictures that the front door keeps for viewers. */
function pictureOf(plan: Plan, { statuses, unitCount, offered, scopes = noScopes, allocation }: EventView): Picture {
  const picture = new Picture();
  picture.take(plan, unpackStatuses(statuses, unitCount), offered, scopes, channelMapOf(allocation));
  return picture;
}

/** Without `includePublic`, public sale is in reach only if no channel is named. */
function reachOf({ channelIds: listed = '', includePublic: said = '' }: Query): Reach {
  const named = listed.split(',').map((id) => id.trim());
  const channelIds = [...new Set(named)].filter((id) => id !== '');
  const includePublic = said === '' ? channelIds.length === 0 : said === '1' || said.toLowerCase() === 'true';
  return { channelIds, includePublic };
}
