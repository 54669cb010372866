/** Sales channels, as the description has them. */

import type { Description } from '../../openapi/description.ts';
import { standIn } from '../../openapi/stand-ins.ts';
import { channelReadDescriptions } from './read-descriptions.ts';

const own = { key: standIn.eventWithChannel };
const unknownOne = { summary: 'One that is not there', path: { ...own, id: 'chn_0' }, answers: 'not_found' } as const;
const changes = ['not_found', 'conflict', 'invalid_event_state'] as const;

const writes = {
  'POST /v1/events/{key}/channels': {
    operationId: 'createChannel',
    tag: 'Channels',
    summary: 'Make a channel',
    description:
      'It has no seats yet. Its prices, in major units, win over those of ticket releases and use none of their quota; a category ' +
      "with tiers is priced tier by tier. Names are one channel's among those that are not archived, whatever their case.",
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
        summary: 'With prices as they are answered',
        body: { name: 'Partners', priceOverrides: [{ categoryKey: 'balcony', tierId: 'child', price: 10 }] },
      },
      {
        summary: 'A name that another one has',
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
        summary: 'A category that the chart has not',
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
      '`priceOverrides` replaces all of them; what is held or booked keeps its price. With `expectedPricingVersion` (or ' +
      '`pricingVersion`) nothing is changed where the prices have changed since. Another `accessIntent` while sessions or links ' +
      'reach the channel is 409 `conflict`, reason `live_access`, until `acknowledgeLiveAccess` is sent: it ends none of them.',
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
        summary: 'A price that is no integer',
        path: own,
        body: { priceOverrides: { stalls: 12.5 } },
        answers: 'invalid_request',
      },
      { summary: 'Nothing', path: own, body: {}, answers: 'nothing_to_update' },
      {
        summary: 'One in the archive',
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
      'It says who may select them, and never whether they are free. What is in checkout or sold stays where it is; the buckets say ' +
      'what became of each label that was named. The label of an area stands for all its places. `assignmentVersion` is the one ' +
      'that the caller has seen.',
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
          reason: 'More of them came',
        },
      },
      {
        summary: 'After somebody else assigned',
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
    summary: 'Sell nothing of a channel for now',
    description: 'Holds of it go on, and may be booked.',
    refusals: changes,
    examples: [
      { summary: 'With a reason', path: own, body: { reason: 'The list is being checked' } },
      unknownOne,
      { summary: 'One in the archive', path: { ...own, id: standIn.archivedChannel }, answers: 'conflict' },
    ],
  },
  'POST /v1/events/{key}/channels/{id}/unpause': {
    operationId: 'unpauseChannel',
    tag: 'Channels',
    summary: 'Sell from a channel again',
    refusals: changes,
    examples: [{ summary: 'Without a word', path: own }, unknownOne],
  },
  'POST /v1/events/{key}/channels/{id}/archive': {
    operationId: 'archiveChannel',
    tag: 'Channels',
    summary: 'End a channel, and all access to it',
    description:
      'All that it has goes to another channel or to public sale, what is booked too, which keeps the channel that it was sold in. ' +
      'Not while anything of it is in checkout: `details` says until when. Sessions and links that reach it end; one that reaches ' +
      'others too loses this one. Asked again with the same destination it is answered anew.',
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
