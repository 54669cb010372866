/** The named schemas of the description: zod's schemas as JSON Schema, each once, the rest by reference. */
import { chartDocument } from '@parterre/shared/chart/document';
import { z } from 'zod';
import { accessLink } from '../api/access/link-descriptions.ts';
import { binaryFrame, frame } from '../api/realtime/descriptions.ts';
import * as accounts from '../api/records/account-records.ts';
import * as records from '../api/records/records.ts';
import { release } from '../api/releases/descriptions.ts';

type JsonSchema = Record<string, unknown>;

/** zod writes a safe integer's bounds into every one; that says nothing to a reader. */
function withoutSafeBounds({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const options = { io: 'input', unrepresentable: 'any', override: withoutSafeBounds } as const;

export type Schemas = {
  /** A reference to the schema, under its own name where it has one, else under `name`. */
  refer(schema: z.ZodType, name: string): { $ref: string };
  /** All that were referred to and what these refer to, by name. Called last. */
  all(): Record<string, JsonSchema>;
};

const at = (name: string): string => `#/components/schemas/${name}`;

export function createSchemas(): Schemas {
  const registry = z.registry<{ id: string }>();
  registry.add(chartDocument, { id: 'ChartDocument' });
  registry.add(records.errorBody, { id: 'Error' });
  registry.add(records.rateLimited, { id: 'RateLimited' });
  registry.add(records.counts, { id: 'Counts' });
  registry.add(accounts.organisation, { id: 'Organisation' });
  registry.add(accounts.keyInfo, { id: 'Key' });
  registry.add(accounts.user, { id: 'User' });
  registry.add(accounts.workspace, { id: 'Workspace' });
  registry.add(records.chartMeta, { id: 'ChartMeta' });
  registry.add(records.eventMeta, { id: 'EventMeta' });
  registry.add(records.eventListItem, { id: 'EventListItem' });
  registry.add(records.lineItem, { id: 'LineItem' });
  registry.add(records.hold, { id: 'Hold' });
  registry.add(release, { id: 'Release' });
  registry.add(records.report, { id: 'Report' });
  registry.add(accounts.webhookSub, { id: 'WebhookSubscription' });
  registry.add(records.buyerEvent, { id: 'BuyerEvent' });
  registry.add(records.issue, { id: 'Issue' });
  registry.add(accessLink, { id: 'AccessLink' });
  registry.add(frame, { id: 'Frame' });
  registry.add(binaryFrame, { id: 'BinaryFrame' });
  return {
    refer(schema, name) {
      const known = registry.get(schema)?.id;
      if (known === undefined) registry.add(schema, { id: name });
      return { $ref: at(known ?? name) };
    },
    all() {
      const { schemas } = z.toJSONSchema(registry, { ...options, uri: at });
      return Object.fromEntries(
        Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as JsonSchema]),
      );
    },
  };
}

/** A small schema as it is, without a name. */
export function inline(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, options);
  return json as JsonSchema;
}
