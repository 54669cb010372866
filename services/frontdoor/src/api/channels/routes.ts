/**
 * Channels of an event: create, change, pause and archive them, and read their units and sales. The event's actor keeps
 * everything except access to channels, which the catalog keeps. Keys and dashboard sessions may make all of these
 * calls. A manage session needs one capability to view and another to manage; neither implies the other.
 */
import type { Answers } from '@parterre/shared/answers';
import type { ChannelDraft } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { newId } from '@parterre/shared/ids';
import { bulkBodyBytesMax } from '@parterre/shared/limits';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { seesMoney } from '../../logs/logs.ts';
import { type Answering, ask, type EventCall, eventRoute, labelsIn, newCallId } from '../calls/calls.ts';
import {
  archiveChannelAnswer,
  assignChannelAnswer,
  changeChannelAnswer,
  createChannelAnswer,
  pauseChannelAnswer,
  unpauseChannelAnswer,
} from './answers.ts';
import { archiveChannel } from './archive-channel.ts';
import { assignmentsBody, channelArchiveBody, channelBody, channelChangesBody, channelStateBody } from './bodies.ts';
import { channelReportOf, countsOf, publicSale } from './channel-report.ts';
import { checkChannelOfPath } from './known-channels.ts';
import { previewChannels } from './preview-channels.ts';
import { allocationQuery, channelsQuery, previewQuery } from './queries.ts';
import {
  getAllocationAnswer,
  getChannelReportAnswer,
  listChannelsAnswer,
  previewChannelsAnswer,
} from './read-answers.ts';

const counted = { budget: budgets.serverCalls };

const view = { capability: 'event:channels:view' } as const;
const manage = { capability: 'event:channels:manage' } as const;
const stateChange = { ...manage, body: channelStateBody, bodyOptional: true } as const;

export const channelRoutes = [
  eventRoute(
    'GET /v1/events/{key}/channels',
    { ...counted, ...view, answer: listChannelsAnswer, query: channelsQuery },
    listChannels,
  ),
  eventRoute(
    'POST /v1/events/{key}/channels',
    { ...counted, answer: createChannelAnswer, ...manage, body: channelBody, status: 201 },
    async (call) => {
      const { reason = null, ...draft } = call.body;
      const channel: ChannelDraft = { ...noDetails, priceOverrides: [], ...draft, id: newId('chn') };
      const made = await ask(call, { type: 'create-channel', callId: newCallId(), channel, reason });
      return made.ok ? done({ ok: true, channel: made.value.channel }) : made;
    },
  ),
  eventRoute(
    'PATCH /v1/events/{key}/channels/{id}',
    { ...counted, answer: changeChannelAnswer, ...manage, body: channelChangesBody },
    changeChannel,
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/assignments',
    {
      ...counted,
      answer: assignChannelAnswer,
      ...manage,
      body: assignmentsBody,
      labelsIn,
      bodyBytesMax: bulkBodyBytesMax,
    },
    async (call) => {
      const { targetChannelId, labels, assignmentVersion, reason = null } = call.body;
      const named = { channelId: targetChannelId, labels, assignmentVersion, reason };
      const assigned = await ask(call, { type: 'assign-channel', callId: newCallId(), ...named });
      return assigned.ok ? done({ ok: true, targetChannelId, ...assigned.value }) : assigned;
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/channels/allocation',
    { ...counted, ...view, answer: getAllocationAnswer, query: allocationQuery },
    async (call) => {
      const { limit, afterLabel } = call.query;
      return ask(call, { type: 'channel-allocation', limit, ...(afterLabel && { afterLabel }) });
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/channels/preview',
    { ...counted, ...view, answer: previewChannelsAnswer, query: previewQuery },
    previewChannels,
  ),
  eventRoute(
    'GET /v1/events/{key}/channels/report',
    { ...counted, ...view, answer: getChannelReportAnswer },
    async (call) => {
      const [known, told] = await Promise.all([
        ask(call, { type: 'channel-records' }),
        ask(call, { type: 'channel-report' }),
      ]);
      if (!known.ok) return known;
      if (!told.ok) return told;
      const { principal, event } = call;
      const report = channelReportOf(told.value, known.value.channels, seesMoney(principal));
      return done({ report, event: eventMeta(event.event, { counts: countsOf(report.totals.allocation) }) });
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/pause',
    { ...counted, ...stateChange, answer: pauseChannelAnswer },
    (call) => setState(call, 'paused'),
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/unpause',
    { ...counted, ...stateChange, answer: unpauseChannelAnswer },
    (call) => setState(call, 'active'),
  ),
  eventRoute(
    'POST /v1/events/{key}/channels/{id}/archive',
    { ...counted, answer: archiveChannelAnswer, ...manage, body: channelArchiveBody },
    archiveChannel,
  ),
];

const noDetails = { color: null, marker: null, externalRef: null, accessIntent: 'none' } as const;

async function listChannels(call: EventCall<unknown, z.output<typeof channelsQuery>>) {
  const { ports, event, query } = call;
  const [known, access] = await Promise.all([
    ask(call, { type: 'channels' }),
    ports.catalog('channel-access.summary', { eventKey: event.event.key }),
  ]);
  if (!known.ok) return known;
  if (!access.ok) return access;
  const { assignmentVersion, publicSale: counts, channels } = known.value;
  const listed = channels.filter(({ state }) => query.includeArchived || state !== 'archived');
  return done({
    assignmentVersion,
    publicSale: { ...publicSale, counts },
    channels: listed.map((channel) => {
      const { hasActiveGrants, lastMintAt } = access.value.channels[channel.id] ?? noAccess;
      return { ...channel, access: { intent: channel.accessIntent, hasActiveGrants, lastMintAt } };
    }),
  });
}

const noAccess = { hasActiveGrants: false, lastMintAt: null };

async function changeChannel(
  call: EventCall<z.output<typeof channelChangesBody>>,
): Answering<typeof changeChannelAnswer> {
  const { reason = null, acknowledgeLiveAccess = false, pricingVersion, ...said } = call.body;
  const { expectedPricingVersion = pricingVersion, ...change } = said;
  const channelId = call.request.params[1]!;
  if (Object.keys(change).length === 0) {
    const known = await checkChannelOfPath(call, channelId, true);
    return known.ok ? refuse('nothing_to_update', 'Name at least one field to change.') : known;
  }
  if (change.accessIntent !== undefined && !acknowledgeLiveAccess) {
    const may = await mayChangeAccessIntent(call, channelId, change.accessIntent);
    if (!may.ok) return may;
  }
  const changed = await ask(call, {
    ...{ type: 'change-channel', callId: newCallId(), channelId, change, reason },
    ...(expectedPricingVersion === undefined ? {} : { expectedPricingVersion }),
  });
  return changed.ok ? done({ ok: true, channel: changed.value.channel }) : changed;
}

const liveAccess = refuse(
  'conflict',
  'This channel has live sessions or links. Send acknowledgeLiveAccess to change its access intent nevertheless.',
  { reason: 'live_access' },
);

/**
 * Refused if the intent would change while the channel has live access. The check is a warning to the caller: a session
 * that is issued between the check and the change may slip through.
 */
async function mayChangeAccessIntent(call: EventCall, channelId: string, intent: string): Promise<Outcome<true>> {
  const [known, access] = await Promise.all([
    ask(call, { type: 'channel-records' }),
    call.ports.catalog('channel-access.summary', { eventKey: call.event.event.key }),
  ]);
  if (!known.ok) return known;
  if (!access.ok) return access;
  const isLive = access.value.channels[channelId]?.hasActiveGrants === true;
  return isLive && intentOf(known.value, channelId) !== intent ? liveAccess : done(true);
}

function intentOf({ channels }: Answers['channel-records'], channelId: string): string | undefined {
  return channels.find(({ id }) => id === channelId)?.accessIntent;
}

async function setState(
  call: EventCall<z.output<typeof channelStateBody>>,
  state: 'active' | 'paused',
): Answering<typeof pauseChannelAnswer> {
  const { reason = null } = call.body;
  const channelId = call.request.params[1]!;
  const turned = await ask(call, { type: 'set-channel-state', callId: newCallId(), channelId, state, reason });
  return turned.ok ? done({ ok: true, channel: turned.value.channel }) : turned;
}
