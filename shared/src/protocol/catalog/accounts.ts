/** Organisations, their keys, their users and the users' dashboard sessions: stored fields and operations. */
import type { Mode, PublicSale } from '../records.ts';
import type { EndOfMinter } from './access.ts';
import type { KeyBudgets, Page, Principal, Role } from './scope.ts';

export type Organisation = {
  id: string;
  name: string;
  currency: string;
  credits: number;
  createdAt: number;
  /** The bounds of public sale in its events. Null: the deployment's. */
  publicSale: PublicSale | null;
};

export type KeyInfo = {
  id: string;
  prefix: string;
  kind: 'secret' | 'publishable';
  mode: Mode;
  environment: string | null;
  workspaceId: string | null;
  origins: string[];
  /** [the deployment's] */
  budgets?: KeyBudgets;
  createdAt: number;
  revokedAt: number | null;
};

export type User = { id: string; email: string; role: Role; createdAt: number };

/** operation → [input, output] */
export type AccountOperations = {
  'organisations.create': [{ name: string; currency: string; credits?: number }, { organisation: Organisation }];
  'organisations.list': [{ page: Page }, { organisations: Organisation[]; nextCursor?: string }];
  'organisations.get': [{ organisationId: string }, { organisation: Organisation }];
  'organisations.change': [{ organisationId: string; publicSale: PublicSale | null }, { organisation: Organisation }];
  'organisations.add-credits': [
    { organisationId: string; delta: number; reason: string },
    { organisation: Organisation },
  ];
  'keys.create': [
    {
      organisationId: string;
      kind: 'secret' | 'publishable';
      mode: Mode;
      environment?: string | null;
      workspaceId?: string | null;
      origins?: string[];
      budgets?: KeyBudgets;
    },
    { key: KeyInfo; secret: string },
  ];
  /** Revoked keys included. */
  'keys.list': [{ organisationId: string; page: Page }, { keys: KeyInfo[]; nextCursor?: string }];
  /** `budgets` replaces all budgets of the key; null gives it the deployment's. */
  'keys.change': [{ organisationId: string; keyId: string; budgets: KeyBudgets | null }, { key: KeyInfo }];
  /** `endsMinted` also ends what the key has given to others. Sessions of a publishable key end in any case. */
  'keys.revoke': [{ organisationId: string; keyId: string; endsMinted: boolean }, EndOfMinter];

  /** `email` is normalised: trimmed, in lower case. Refused with `user_exists` when any user has it. */
  'users.create': [{ organisationId: string; email: string; password: string; role: Role }, { user: User }];
  'users.list': [{ organisationId: string; page: Page }, { users: User[]; nextCursor?: string }];
  'users.get': [{ organisationId: string; userId: string }, { user: User; organisation: Organisation }];
  /** `endsMinted` also ends what the user has given to others. */
  'users.delete': [{ organisationId: string; userId: string; endsMinted: boolean }, EndOfMinter];

  /**
   * A login. Refused with `unauthorized` or, after too many failed logins from its `network`, `login_locked`. Logins of
   * one `address` (as budgets count it) wait for each other, and not before those of others.
   */
  'sessions.create': [
    { email: string; password: string; network: string; address: string },
    { token: string; user: User; organisation: Organisation; expiresAt: number },
  ];
  'sessions.end': [{ hash: string }, { ok: true }];

  /**
   * The caller behind a key or session; `hash` is `sha256(token)`. Refused with `unauthorized` for an unknown or
   * revoked hash.
   */
  'credentials.resolve': [{ hash: string }, Principal];
};
