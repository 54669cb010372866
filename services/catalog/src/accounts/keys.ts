/** API keys: made and shown once, stored as SHA-256 only, revoked for good. credentials.ts finds their principals. */
import type { KeyInfo } from '@parterre/shared/protocol/catalog/accounts';
import { budgetIssues, budgetNames, type KeyBudgets } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId, randomText, sha256 } from '@parterre/shared/protocol/ids';
import { settleMinted } from '../access/minted-access.ts';
import { originIssues } from '../access/rules/origins.ts';
import { keys, organisations } from '../store/collections.ts';
import { change, listPage, type OperationTable, type Ports } from '../store/operations.ts';
import type { KeyRecord } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';
import { activeWorkspace, organisationUnknown } from '../tenants/tenants.ts';

type KeyOperation = 'keys.create' | 'keys.list' | 'keys.change' | 'keys.revoke';

const SECRET_LENGTH = 32;
/** `sk_test_` and four characters: enough to tell keys apart in a list, far too little to guess one. */
const PREFIX_LENGTH = 12;

export function createKeyOperations(ports: Ports): OperationTable<KeyOperation> {
  const { store, clock, announce } = ports;
  return {
    async 'keys.create'(input) {
      const {
        organisationId,
        kind,
        mode,
        environment = null,
        workspaceId = null,
        origins = [],
        budgets,
        budgetsUpTo,
      } = input;
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      if (workspaceId !== null) {
        const workspace = await activeWorkspace(store, { organisationId }, workspaceId);
        if (!workspace.ok) return workspace;
      }
      const issues = originIssues(origins, mode);
      if (issues.length > 0)
        return refuse('invalid_request', 'A key cannot have these origins. The issues list them.', {
          details: { issues },
        });
      const above = budgetsAbove(budgetsUpTo, budgets, undefined);
      if (above) return above;
      const secret = `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_${randomText(SECRET_LENGTH)}`;
      const key: KeyRecord = {
        organisationId,
        prefix: secret.slice(0, PREFIX_LENGTH),
        kind,
        mode,
        environment,
        workspaceId,
        origins,
        ...(budgets === undefined ? {} : { budgets }),
        createdAt: clock.now(),
        hash: sha256(secret),
        revokedAt: null,
      };
      const id = newId('key');
      await store.insert(keys, id, key);
      // A front door may remember the hash as unknown.
      announce({ kind: 'key', hash: key.hash });
      return done({ key: keyInfoOf({ id, version: 1, value: key }), secret });
    },

    async 'keys.list'({ organisationId, page }) {
      if (!(await store.get(organisations, organisationId))) return organisationUnknown();
      const found = { index: 'byOrganisation', equal: [organisationId] };
      const { items, more } = await listPage(store, keys, found, page, keyInfoOf);
      return done({ keys: items, ...more });
    },

    /**
     * Front doors judge by the new budgets and origins within a second. Sessions that the key has opened keep the old
     * ones.
     */
    async 'keys.change'(asked) {
      const changed = await change(store, keys, asked.keyId, keyUnknown, (key) => withChanges(key, asked));
      if (!changed.ok) return changed;
      announce({ kind: 'key', hash: changed.value.value.hash });
      return done({ key: keyInfoOf(changed.value) });
    },

    /**
     * The sessions of a publishable key are its pages' own, and always end. Revoking again is harmless, and is
     * announced again.
     */
    async 'keys.revoke'({ organisationId, keyId, endsMinted }) {
      const changed = await change(store, keys, keyId, keyUnknown, (key) => {
        if (key.organisationId !== organisationId) return keyUnknown();
        return done(key.revokedAt === null ? { ...key, revokedAt: clock.now() } : key);
      });
      if (!changed.ok) return changed;
      const { hash, kind } = changed.value.value;
      announce({ kind: 'key', hash });
      return settleMinted(ports, organisationId, keyId, endsMinted || kind === 'publishable');
    },
  };
}

function withChanges(
  key: KeyRecord,
  { organisationId, budgets, origins, budgetsUpTo }: CatalogInput<'keys.change'>,
): Outcome<KeyRecord> {
  if (key.organisationId !== organisationId) return keyUnknown();
  if (budgets === undefined && origins === undefined) return nothingToChange;
  const issues = [...budgetIssues(key.kind, budgets ?? {}), ...originIssues(origins ?? [], key.mode)];
  if (issues.length > 0) {
    const message = 'This key cannot have these budgets or origins. The issues list them.';
    return refuse('invalid_request', message, { details: { issues } });
  }
  const { budgets: before, ...others } = key;
  const above = budgetsAbove(budgetsUpTo, budgets, before);
  if (above) return above;
  const kept = budgets === undefined ? before : budgets;
  return done({ ...others, ...(kept && { budgets: kept }), ...(origins && { origins }) });
}

/**
 * The refusal of an owner who gives a key more than the deployment gives it. A budget that the operator has set higher
 * may stay, and be lowered.
 */
function budgetsAbove(
  most: KeyBudgets | undefined,
  wanted: KeyBudgets | null | undefined,
  before: KeyBudgets | undefined,
): Outcome<never> | null {
  if (most === undefined) return null;
  const above = budgetNames.filter((name) => {
    const limit = wanted?.[name];
    return (
      limit !== undefined &&
      numberOf(limit) > Math.max(numberOf(most[name]), before?.[name] === undefined ? 0 : numberOf(before[name]))
    );
  });
  if (above.length === 0) return null;
  return refuse('forbidden', `Only the operator of this server gives a key more than usual: ${above.join(', ')}.`, {
    reason: 'above_deployment',
  });
}

const numberOf = (limit: number | null | undefined): number => limit ?? Number.POSITIVE_INFINITY;

const nothingToChange = refuse(
  'nothing_to_update',
  'The change names no field. Send at least one of: budgets, origins.',
);

function keyUnknown() {
  return refuse('not_found', 'There is no such key. Check its id.');
}

function keyInfoOf({ id, value }: Stored<KeyRecord>): KeyInfo {
  const { organisationId: _, hash: __, ...info } = value;
  return { id, ...info };
}
