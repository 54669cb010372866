/** The description of channels. */

import { type Description, standIn } from '../../openapi/openapi.ts';
import { channelReadDescriptions } from './read-descriptions.ts';

const own = { key: standIn.eventWithChannel };
const unknownOne = { summary: 'An unknown channel', path: { ...own, id: 'chn_0' }, answers: 'not_found' } as const;
const changes = ['not_found', 'conflict', 'invalid_event_state'] as const;

const writes = {
  'POST /v1/events/{key}/channels': {
    operationId: 'createChannel',
    tag: 'Channels',
    summary: 'Create a channel',
    description:
      'The channel has no seats yet. Its prices, in major units, take precedence over prices of ticket releases, and ' +
      'use none of their quota. A category with tiers is priced tier by tier. A name is unique among the channels ' +
      'that are not archived, regardless of case.',
    refusals: ['channel_name_taken', 'conflict', 'invalid_event_state'],
    examples: [
      {
        summary: 'For a presale, with prices by category and tier',
        body: {
          name: 'Club members',
          color: '#336699',
          externalRef: 'club-2026',
          accessIntent: 'server',
          priceOverrides: { stalls: 15, balcony: { adult: 25 } },
          reason: 'Presale',
        },
      },
      {
        summary: 'With prices in the form of answers',
        body: { name: 'Partners', priceOverrides: [{ categoryKey: 'balcony', tierId: 'child', price: 10 }] },
      },
      {
        summary: 'A taken name',
        path: own,
        body: { name: 'club members' },
        answers: 'channel_name_taken',
      },
      {
        summary: 'Of an event in the archive',
        path: { key: standIn.archivedEvent },
        body: { name: 'Club members' },
        answers: 'invalid_event_state',
      },
      {
        summary: 'A category that the chart lacks',
        body: { name: 'Boxes', priceOverrides: { boxes: 15 } },
        answers: 'invalid_request',
      },
    ],
  },
  'PATCH /v1/events/{key}/channels/{id}': {
    operationId: 'changeChannel',
    tag: 'Channels',
    summary: 'Change a channel',
    description:
      '`priceOverrides` replaces all prices; held and booked units keep their prices. With `expectedPricingVersion` ' +
      '(or `pricingVersion`) nothing changes if the prices have changed since that version. Another `accessIntent` ' +
      'while sessions or links reach the channel is 409 `conflict`, reason `live_access`, unless ' +
      '`acknowledgeLiveAccess` is sent. The change ends no session and no link.',
    refusals: ['nothing_to_update', 'channel_name_taken', 'channel_pricing_conflict', ...changes],
    examples: [
      {
        summary: 'Another name and other prices',
        path: own,
        body: { name: 'Members', priceOverrides: { stalls: 12 }, expectedPricingVersion: 1 },
      },
      {
        summary: 'Prices that have changed since',
        path: own,
        body: { priceOverrides: { stalls: 12 }, pricingVersion: 7 },
        answers: 'channel_pricing_conflict',
      },
      {
        summary: 'A price that is not an integer',
        path: own,
        body: { priceOverrides: { stalls: 12.5 } },
        answers: 'invalid_request',
      },
      { summary: 'Without a field', path: own, body: {}, answers: 'nothing_to_update' },
      { summary: 'An unknown channel, without a field', path: { ...own, id: 'chn_0' }, body: {}, answers: 'not_found' },
      {
        summary: 'An archived channel',
        path: { ...own, id: standIn.archivedChannel },
        body: { name: 'Members' },
        answers: 'conflict',
      },
      { ...unknownOne, body: { name: 'Members' } },
    ],
  },
  'POST /v1/events/{key}/channels/assignments': {
    operationId: 'assignChannel',
    tag: 'Channels',
    summary: 'Assign seats to a channel, or give them back to public sale',
    description:
      'An assignment decides who may select the seats, never whether they are free. Held and sold seats stay in ' +
      'their channel. The buckets tell the result for each named label. The label of an area stands for all its ' +
      'places. `assignmentVersion` is the version that the caller has seen.',
    refusals: ['channel_assignment_conflict', 'invalid_channel_scope', 'invalid_event_state'],
    examples: [
      {
        summary: 'Back to public sale',
        path: own,
        body: { targetChannelId: 'public', labels: ['A-3', 'A-4'], assignmentVersion: standIn.assignmentVersion },
      },
      {
        summary: 'Seats and an area',
        path: own,
        body: {
          targetChannelId: standIn.channel,
          labels: ['A-5', 'Floor'],
          assignmentVersion: standIn.assignmentVersion,
          reason: 'More members came',
        },
      },
      {
        summary: 'With an outdated version',
        path: own,
        body: { targetChannelId: null, labels: ['A-1'], assignmentVersion: 0 },
        answers: 'channel_assignment_conflict',
      },
      {
        summary: 'To a channel in the archive',
        path: own,
        body: {
          targetChannelId: standIn.archivedChannel,
          labels: ['A-1'],
          assignmentVersion: standIn.assignmentVersion,
        },
        answers: 'invalid_channel_scope',
      },
    ],
  },
  'POST /v1/events/{key}/channels/{id}/pause': {
    operationId: 'pauseChannel',
    tag: 'Channels',
    summary: 'Pause the sales of a channel',
    description: "Holds of the channel's seats stay active, and may be booked.",
    refusals: changes,
    examples: [
      { summary: 'With a reason', path: own, body: { reason: 'The list is being checked' } },
      unknownOne,
      { summary: 'An archived channel', path: { ...own, id: standIn.archivedChannel }, answers: 'conflict' },
    ],
  },
  'POST /v1/events/{key}/channels/{id}/unpause': {
    operationId: 'unpauseChannel',
    tag: 'Channels',
    summary: 'Resume the sales of a channel',
    refusals: changes,
    examples: [{ summary: 'Without a body', path: own }, unknownOne],
  },
  'POST /v1/events/{key}/channels/{id}/archive': {
    operationId: 'archiveChannel',
    tag: 'Channels',
    summary: 'Archive a channel, and end all access to it',
    description:
      'All its units go to another channel or to public sale. Booked units go too, and keep the channel that they ' +
      'were sold in. Refused while a unit of the channel is held: `details` tells until when. Sessions and links ' +
      'that reach only this channel end; sessions and links that also reach other channels lose this channel. A ' +
      'repetition with the same destination gets the same result.',
    refusals: ['channel_archive_blocked_by_holds', 'invalid_channel_scope', ...changes],
    examples: [
      { summary: 'To public sale', path: own, body: { destination: 'public', reason: 'The presale is over' } },
      {
        summary: 'To a channel in the archive',
        path: own,
        body: { destination: standIn.archivedChannel },
        answers: 'invalid_channel_scope',
      },
      { ...unknownOne, body: { destination: null } },
    ],
  },
} as const satisfies Record<string, Description>;

export const channelDescriptions = { ...channelReadDescriptions, ...writes };
