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
  /** Since then its keys and users are refused (epoch ms). Null: it is not suspended. */
  suspendedAt: number | null;
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

/** The caller of an administrator's call: the root token, a user, a key, a session of a console, or nobody yet. */
export type AuditedBy = {
  /** Names the entry, so that two copies of one question write one. */
  entryId: string;
  kind: 'root' | 'user' | 'key' | 'session' | 'nobody';
  id: string | null;
  organisationId: string | null;
  /** Behind trusted proxies. */
  address: string;
  requestId: string;
};

/** One change of an organisation's granted credits. `balance` is the balance after it. */
export type CreditMovement = {
  id: string;
  delta: number;
  reason: string;
  by: Pick<AuditedBy, 'kind' | 'id' | 'address'> | null;
  at: number;
  balance: number;
};

/** An entry of the audit. `outcome` is `done`, or the code of the refusal of a login. */
export type AuditEntry = {
  id: string;
  at: number;
  /** Null for an entry of no organisation, such as a login with an unknown email. */
  organisationId: string | null;
  action: string;
  by: Omit<AuditedBy, 'organisationId' | 'entryId'> & { email: string | null };
  /** The id of the changed thing, or the email of a login. */
  subject: string;
  outcome: string;
  facts: Record<string, unknown>;
};

/** A dashboard session as its user sees it. `id` is no part of the token. */
export type ListedSession = {
  id: string;
  createdAt: number;
  /** To a few minutes. */
  seenAt: number;
  expiresAt: number;
  /** Of the login. */
  address: string | null;
  userAgent: string | null;
  via: SignInWay;
};

export type SignInWay = 'password' | 'oidc';

/** The caller of a login, as its connection shows it. */
export type SignInFrom = { network: string; address: string; userAgent?: string };

export type OpenedDashboard = { token: string; user: User; organisation: Organisation; expiresAt: number };

/** operation → [input, output] */
export type AccountOperations = {
  'organisations.create': [{ name: string; currency: string; credits?: number }, { organisation: Organisation }];
  'organisations.list': [{ page: Page }, { organisations: Organisation[]; nextCursor?: string }];
  'organisations.get': [{ organisationId: string }, { organisation: Organisation }];
  /** Fields that are absent stay. */
  'organisations.change': [
    { organisationId: string; publicSale?: PublicSale | null; suspended?: boolean },
    { organisation: Organisation },
  ];
  'organisations.add-credits': [
    { organisationId: string; delta: number; reason: string },
    { organisation: Organisation },
  ];
  /** Newest first. */
  'credits.list': [
    { organisationId: string; page: Page },
    { movements: CreditMovement[]; credits: number; nextCursor?: string },
  ];
  /** Newest first; of one organisation, or of all. */
  'audit.list': [{ organisationId: string | null; page: Page }, { entries: AuditEntry[]; nextCursor?: string }];
  /** `budgetsUpTo`: the most that the caller may give; null for no bound of a budget. [no bound of any] */
  'keys.create': [
    {
      organisationId: string;
      kind: 'secret' | 'publishable';
      mode: Mode;
      environment?: string | null;
      workspaceId?: string | null;
      origins?: string[];
      budgets?: KeyBudgets;
      budgetsUpTo?: KeyBudgets;
    },
    { key: KeyInfo; secret: string },
  ];
  /** Revoked keys included. */
  'keys.list': [{ organisationId: string; page: Page }, { keys: KeyInfo[]; nextCursor?: string }];
  /** `budgets` replaces all budgets of the key; null gives it the deployment's. `origins` replaces all origins. */
  'keys.change': [
    {
      organisationId: string;
      keyId: string;
      budgets?: KeyBudgets | null;
      origins?: string[];
      budgetsUpTo?: KeyBudgets;
    },
    { key: KeyInfo },
  ];
  /** `endsMinted` also ends what the key has given to others. Sessions of a publishable key end in any case. */
  'keys.revoke': [{ organisationId: string; keyId: string; endsMinted: boolean }, EndOfMinter];

  /** `email` is normalised: trimmed, in lower case. Refused with `user_exists` when any user has it. */
  'users.create': [{ organisationId: string; email: string; password: string; role: Role }, { user: User }];
  'users.list': [{ organisationId: string; page: Page }, { users: User[]; nextCursor?: string }];
  'users.get': [{ organisationId: string; userId: string }, { user: User; organisation: Organisation }];
  /** The sessions of the user get the role too. Refused with `conflict` where no owner would be left. */
  'users.change-role': [{ organisationId: string; userId: string; role: Role }, { user: User }];
  /**
   * `endsMinted` also ends what the user has given to others. `keepsOwner`: refused with `conflict` where no owner
   * would be left.
   */
  'users.delete': [{ organisationId: string; userId: string; endsMinted: boolean; keepsOwner?: true }, EndOfMinter];

  /**
   * A login. Refused with `unauthorized` or, after too many failed logins from its `network`, `login_locked`.
   * Logins of one `address` (as budgets count it) wait for each other, and not before those of others.
   */
  'sessions.create': [SignInFrom & { email: string; password: string }, OpenedDashboard];
  /** Notes the state of a sign-in. Refused with `sign_in_refused` when it was noted before. */
  'sign-ins.use': [{ stateHash: string; expiresAt: number }, { ok: true }];
  /**
   * A login of a person whom an issuer knows by a verified email. `role`, where it is given, becomes the user's role.
   * An unknown person becomes a user of the organisation `createIn`, or is refused with `sign_in_refused`.
   */
  'sessions.open-external': [
    SignInFrom & { email: string; role: Role | null; createIn: string | null },
    OpenedDashboard,
  ];
  'sessions.end': [{ hash: string }, { ok: true; via?: SignInWay }];
  /** The sessions of a user that have not expired, oldest first. `current` is the caller's own. */
  'sessions.list': [
    { organisationId: string; userId: string; currentHash?: string },
    { sessions: (ListedSession & { current: boolean })[] },
  ];
  /** Ends one session, or all but the one that is kept. */
  'sessions.end-some': [
    { organisationId: string; userId: string; sessionId?: string; keepHash?: string },
    { ok: true; ended: number },
  ];

  /** Ends the user's other sessions. The old password is counted as a login. */
  'passwords.change': [
    SignInFrom & { organisationId: string; userId: string; oldPassword: string; password: string; sessionHash: string },
    { ok: true; ended: number },
  ];
  /** A token that sets a new password once. A later token replaces it. */
  'passwords.begin-reset': [{ organisationId: string; userId: string }, { token: string; expiresAt: number }];
  /** Ends all sessions of the user. */
  'passwords.reset': [SignInFrom & { token: string; password: string }, { ok: true; ended: number; user: User }];

  /**
   * The caller behind a key or session; `hash` is `sha256(token)`. Refused with `unauthorized` for an unknown or
   * revoked hash.
   */
  'credentials.resolve': [{ hash: string }, Principal];
};
