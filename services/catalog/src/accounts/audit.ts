/**
 * The audit of administration: who did what, when and from where. One wrapper around the operations writes all entries.
 * Front doors send the caller with each operation of the table (shared: catalog/audited.ts); the catalog's own calls
 * have no caller, and no entry.
 *
 * An entry is written after its operation has succeeded, and before the caller hears of it. A failed login is told too:
 * at most `failedLoginsToldMax` in an hour by each catalog, so that a flood of logins does not fill the store. The
 * lock-out bounds the entries of one email before (rules/login-attempts.ts).
 *
 * Failure at each await: the operation throws → no entry; the catalog dies behind the operation → the change stands
 * without an entry; the store does not take the entry → the log has it, and the caller gets the answer of the
 * operation.
 */
import type { AuditEntry, AuditedBy } from '@parterre/shared/protocol/catalog/accounts';
import { type AuditedOperation, auditedActions } from '@parterre/shared/protocol/catalog/audited';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { FixedWindows } from '@parterre/shared/runtime/fixed-windows';
import { audits, users } from '../store/collections.ts';
import { listPage, type OperationTable, type Ports } from '../store/operations.ts';
import { failedLoginsToldMax, failedLoginsWindowMs } from '../store/rules/bounds.ts';
import type { AuditRecord } from '../store/rules/records.ts';
import { findOne } from '../store/store.ts';
import { auditedFacts } from './rules/audited-facts.ts';

type AuditPorts = Pick<Ports, 'store' | 'clock' | 'log'>;
type AnyInput = { organisationId?: string; scope?: { organisationId: string }; email?: string };
type Perform = (input: AnyInput, deadlineAt?: number, by?: AuditedBy | null) => Promise<Outcome<unknown>>;
type Tell = (input: AnyInput, output: unknown) => ReturnType<(typeof auditedFacts)[AuditedOperation]>;

export function createAuditOperations({ store }: Ports): OperationTable<'audit.list'> {
  return {
    async 'audit.list'({ organisationId, page }) {
      const found = organisationId === null ? { index: 'all', equal: [] } : ofOrganisation(organisationId);
      const query = { ...found, descending: true };
      const { items, more } = await listPage(store, audits, query, page, ({ id, value }): AuditEntry => {
        const { expiresAt: _, ...entry } = value;
        return { id, ...entry };
      });
      return done({ entries: items, ...more });
    },
  };
}

const ofOrganisation = (organisationId: string) => ({ index: 'byOrganisation', equal: [organisationId] });

/** The operations, of which the audited ones write their entries. `keepMs`: how long an entry stays. */
export function audited(operations: OperationTable, ports: AuditPorts, keepMs: number): OperationTable {
  const failedLogins = new FixedWindows(ports.clock, 1);
  const wrapped = Object.keys(auditedActions).map((name) => {
    const operation = name as AuditedOperation;
    const perform = operations[operation] as Perform;
    const asAudited: Perform = async (input, deadlineAt, by = null) => {
      const outcome = await perform(input, deadlineAt, by);
      if (by === null) return outcome;
      try {
        const entry = await entryOf(ports, operation, input, outcome, by, failedLogins);
        if (entry) await write(ports, by.entryId, entry, keepMs);
      } catch (error) {
        ports.log.error({ err: error, operation, by }, 'an entry of the audit could not be written');
      }
      return outcome;
    };
    return [operation, asAudited];
  });
  return { ...operations, ...Object.fromEntries(wrapped) };
}

type Entry = Pick<AuditRecord, 'organisationId' | 'action' | 'subject' | 'outcome' | 'facts' | 'by'>;

/** Null for an outcome that the audit does not tell. */
async function entryOf(
  ports: AuditPorts,
  operation: AuditedOperation,
  input: AnyInput,
  outcome: Outcome<unknown>,
  { organisationId: ofCaller, entryId: _, ...by }: AuditedBy,
  failedLogins: FixedWindows,
): Promise<Entry | null> {
  const action = auditedActions[operation];
  if (!outcome.ok) {
    const isFailedLogin = operation === 'sessions.create' && outcome.refusal.code === 'unauthorized';
    if (!isFailedLogin || !failedLogins.spend('', failedLoginsToldMax, failedLoginsWindowMs).allowed) return null;
    const { email = '' } = input;
    const user = await findOne(ports.store, users, 'byEmail', [email]);
    const organisationId = user?.value.organisationId ?? null;
    return {
      organisationId,
      action,
      by: { ...by, email: null },
      subject: email,
      outcome: outcome.refusal.code,
      facts: {},
    };
  }
  const { subject, facts = {}, organisationId = ofCaller } = (auditedFacts[operation] as Tell)(input, outcome.value);
  const user = by.kind === 'user' && by.id !== null ? await ports.store.get(users, by.id) : null;
  return {
    organisationId: input.organisationId ?? input.scope?.organisationId ?? organisationId,
    action,
    by: { ...by, email: user?.value.email ?? null },
    subject,
    outcome: 'done',
    facts,
  };
}

async function write({ store, clock }: AuditPorts, id: string, entry: Entry, keepMs: number): Promise<void> {
  const at = clock.now();
  await store.insert(audits, id, { at, ...entry, expiresAt: at + keepMs });
}
