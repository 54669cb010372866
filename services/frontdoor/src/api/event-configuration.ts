/** The configuration of an event: the name of a version that the caller keeps. The catalog stores the name. */
import type { EventConfiguration } from '@parterre/shared/protocol/catalog/events';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { idLengthMax } from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { eventRoute } from './calls/route.ts';
import { count, epochMs, textOrNull } from './records.ts';

const configurationVersion = z
  .union([z.string().min(1).max(idLengthMax), z.int().min(0)])
  .describe("The version in the caller's own words: a text, or an integer.");

const configurationName = z
  .object({ id: z.string().min(1).max(idLengthMax), version: configurationVersion })
  .describe('A name that the caller gives a version of its own. Stored, never interpreted.');

const eventConfiguration = z.object({
  configuration: configurationName.nullable(),
  revision: count.describe('The number of changes. 0 for an event that never had a configuration.'),
  changedBy: textOrNull.describe('The id of the key or user that made the last change.'),
  changedAt: epochMs.nullable(),
  audit: z.array(z.object({})).describe('Always empty. `changedBy` and `changedAt` tell of the last change.'),
});

function told(configuration: Outcome<EventConfiguration>): Outcome<z.output<typeof eventConfiguration>> {
  return configuration.ok ? done({ ...configuration.value, audit: [] }) : configuration;
}

const getEventConfiguration = eventRoute(
  'GET /v1/events/{key}/event-configuration',
  {
    budget: budgets.serverCalls,
    answer: eventConfiguration,
    description: {
      operationId: 'getEventConfiguration',
      tag: 'Events',
      summary: 'The configuration that a caller has named for the event',
      description: 'The name of a version that the caller keeps elsewhere. It changes nothing in the event.',
      examples: [{ summary: 'The configuration' }],
    },
  },
  async (call) => {
    const { key: eventKey } = call.event.event;
    return told(await call.ports.catalog('events.configuration', { scope: scopeOf(call.principal), eventKey }));
  },
);

const setEventConfigurationBody = z.object({
  expectedRevision: z.int().min(0).describe('The revision that the caller has seen.'),
  configuration: configurationName.nullable(),
});

const setEventConfiguration = eventRoute(
  'PUT /v1/events/{key}/event-configuration',
  {
    budget: budgets.serverCalls,
    answer: eventConfiguration,
    body: setEventConfigurationBody,
    description: {
      operationId: 'setEventConfiguration',
      tag: 'Events',
      summary: "Name the event's configuration, or remove the name",
      description:
        'A stale `expectedRevision` is 409 `conflict` with reason `stale_revision`, and the present `revision`. Null ' +
        'removes the name.',
      refusals: ['conflict'],
      examples: [
        {
          summary: 'The third version of a layout',
          body: { expectedRevision: 0, configuration: { id: 'layout-summer', version: 3 } },
        },
        { summary: 'From a stale revision', body: { expectedRevision: 7, configuration: null }, answers: 'conflict' },
        {
          summary: 'Without a version',
          path: { key: standIn.heldEvent },
          body: { expectedRevision: 0, configuration: { id: 'layout-summer' } },
          answers: 'invalid_request',
        },
      ],
    },
  },
  async (call) => {
    const { key: eventKey } = call.event.event;
    const asked = { scope: scopeOf(call.principal), eventKey, ...call.body };
    return told(await call.ports.catalog('events.set-configuration', asked));
  },
);

export const eventConfigurationRoutes = [getEventConfiguration, setEventConfiguration];

export const eventConfigurationSchemas = {
  EventConfiguration: eventConfiguration,
  ConfigurationName: configurationName,
  ConfigurationVersion: configurationVersion,
};
