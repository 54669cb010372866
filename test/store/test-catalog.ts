/** A catalog without NATS: the operations over a store, with an organisation, a key's scope and a chart. */
import { gzipSync } from 'node:zlib';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput, CatalogOperation, CatalogOutput, Changed } from '@parterre/shared/protocol/catalog-api';
import { type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { pino } from 'pino';
import { passwordLogN } from '../../services/catalog/src/accounts/passwords.ts';
import {
  type CatalogLifecycles,
  createCatalogLifecycles,
  createOperations,
} from '../../services/catalog/src/operation-table.ts';
import { Halts } from '../../services/catalog/src/projections/halts.ts';
import type { AskEvent, OperationTable } from '../../services/catalog/src/store/operations.ts';
import type { Store } from '../../services/catalog/src/store/store.ts';
import { chart, row } from '../support/charts.ts';

const log = pino({ level: 'silent' });
/** A deployment without a shard. */
const nobodyThere = async () => refuse('shard_unavailable', 'The test has no shard.', { retryable: true });

export type TestCatalog = {
  operations: OperationTable;
  lifecycles: CatalogLifecycles;
  store: Store;
  announced: Changed[];
  clock: Clock & { time: number };
  /** The value of an operation that must succeed. */
  ask<O extends CatalogOperation>(operation: O, input: CatalogInput<O>): Promise<CatalogOutput<O>>;
  /** The refusal of an operation that must not succeed. */
  refusal<O extends CatalogOperation>(operation: O, input: CatalogInput<O>): Promise<Refusal>;
};

export function testCatalog(store: Store, ask: AskEvent = nobodyThere): TestCatalog {
  const announced: Changed[] = [];
  const clock = { time: 1_800_000_000_000, now: () => clock.time, elapsed: () => clock.time, after: systemClock.after };
  const announce = (changed: Changed) => void announced.push(changed);
  const ports = { store, clock, announce, hurryProjector: () => {}, ask, log };
  const lifecycles = createCatalogLifecycles(ports);
  const operations = createOperations(
    { ...ports, halts: new Halts(), uncounted: async () => new Map() },
    { passwordLogN: passwordLogN.min, auditKeepMs: 1_000_000 },
    lifecycles,
  );

  function run<O extends CatalogOperation>(operation: O, input: CatalogInput<O>): Promise<Outcome<CatalogOutput<O>>> {
    return operations[operation](input);
  }
  return {
    operations,
    lifecycles,
    store,
    announced,
    clock,
    async ask(operation, input) {
      const outcome = await run(operation, input);
      if (!outcome.ok) throw new Error(`${operation} was refused: ${JSON.stringify(outcome.refusal)}`);
      return outcome.value;
    },
    async refusal(operation, input) {
      const outcome = await run(operation, input);
      if (outcome.ok) throw new Error(`${operation} was not refused: ${JSON.stringify(outcome.value)}`);
      return outcome.refusal;
    },
  };
}

export const packed = (document: unknown): Uint8Array => gzipSync(JSON.stringify(document));

export const tenSeats = packed(chart([row()]));

/** A scope of a fresh organisation. */
export async function organisationScope(catalog: TestCatalog, more: Partial<Scope> = {}, credits = 0): Promise<Scope> {
  const { organisation } = await catalog.ask('organisations.create', { name: 'Ateliers', currency: 'EUR', credits });
  return {
    organisationId: organisation.id,
    mode: 'test',
    workspaceId: null,
    environment: null,
    actor: 'key_of_a_test',
    role: null,
    ...more,
  };
}

/** The id of a published chart of ten seats. */
export async function publishedChart(catalog: TestCatalog, scope: Scope, workspaceId?: string): Promise<string> {
  const more = workspaceId === undefined ? {} : { workspaceId };
  const { meta } = await catalog.ask('charts.create', { scope, name: 'Hall', doc: tenSeats, ...more });
  await catalog.ask('charts.publish', { scope, chartId: meta.id });
  return meta.id;
}
