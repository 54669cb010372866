/** The access of a page to a sale: the kinds of credentials, and the storage that a tab keeps over a reload. */

/** A publishable key, the capability of an access link, or the host's function that gives a session's token. */
export type Access =
  | { publicKey: string; bearer?: boolean }
  | { capability: string }
  | { token: () => Promise<string> };

/** Null where the browser offers no storage. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;

/** The end of a secret tells two secrets apart without giving either away. */
export const tailOf = (secret: string): string => secret.slice(-8);
