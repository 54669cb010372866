/**
 * What an entry of the audit tells of each operation: the id of the changed thing, and the facts that a person asks
 * for. Never a secret, a password or a token.
 */
import type { AuditedOperation } from '@parterre/shared/protocol/catalog/audited';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';

/** `organisationId` where neither the input nor the caller has it. */
type AuditedFacts = { subject: string; facts?: Record<string, unknown>; organisationId?: string };

type Tell<O extends AuditedOperation> = (input: CatalogInput<O>, output: CatalogOutput<O>) => AuditedFacts;

export const auditedFacts: { readonly [O in AuditedOperation]: Tell<O> } = {
  'organisations.create': ({ name, currency, credits = 0 }, { organisation: { id } }) => ({
    subject: id,
    organisationId: id,
    facts: { name, currency, credits },
  }),
  'organisations.change': ({ organisationId, ...facts }) => ({ subject: organisationId, facts }),
  'organisations.add-credits': ({ organisationId, delta, reason }, { organisation }) => ({
    subject: organisationId,
    facts: { delta, reason, balance: organisation.credits },
  }),
  'keys.create': (_, { key: { id, prefix, kind, mode, workspaceId, origins, budgets = null } }) => ({
    subject: id,
    facts: { prefix, kind, mode, workspaceId, origins, budgets },
  }),
  'keys.change': ({ keyId, organisationId: _, ...facts }) => ({ subject: keyId, facts }),
  'keys.revoke': ({ keyId, endsMinted }, { ended }) => ({ subject: keyId, facts: { endsMinted, ended: ended.counts } }),
  'users.create': (_, { user: { id, email, role } }) => ({ subject: id, facts: { email, role } }),
  'users.change-role': ({ userId, role }, { user }) => ({ subject: userId, facts: { role, email: user.email } }),
  'users.delete': ({ userId, endsMinted }, { ended }) => ({
    subject: userId,
    facts: { endsMinted, ended: ended.counts },
  }),
  'sessions.create': (_, { user, organisation }) => ({
    subject: user.email,
    organisationId: organisation.id,
    facts: { userId: user.id },
  }),
  'sessions.open-external': ({ role }, { user, organisation }) => ({
    subject: user.email,
    organisationId: organisation.id,
    facts: { userId: user.id, via: 'oidc', role },
  }),
  'sessions.end': () => ({ subject: 'session' }),
  'sessions.end-some': ({ userId, sessionId = 'all' }, { ended }) => ({ subject: userId, facts: { sessionId, ended } }),
  'passwords.change': ({ userId }, { ended }) => ({ subject: userId, facts: { endedSessions: ended } }),
  'passwords.begin-reset': ({ userId }, { expiresAt }) => ({ subject: userId, facts: { expiresAt } }),
  'passwords.reset': (_, { user, ended }) => ({
    subject: user.id,
    facts: { email: user.email, endedSessions: ended },
  }),
  'webhooks.create': ({ url, events }, { sub }) => ({ subject: sub.id, facts: { url, events, mode: sub.mode } }),
  'webhooks.update': ({ id, changes }) => ({ subject: id, facts: { ...changes } }),
  'webhooks.rotate-secret': ({ id }) => ({ subject: id }),
  'webhooks.delete': ({ id }) => ({ subject: id }),
  'workspaces.create': ({ name }, { workspace: { id } }) => ({ subject: id, facts: { name } }),
  'workspaces.update': ({ scope: _, workspaceId, ...changes }) => ({ subject: workspaceId, facts: { ...changes } }),
  'projections.rebuild': () => ({ subject: 'projections' }),
};
