/** One server under load: Parterre or a baseline. */

/** Whether data is on the disk before its answer (`always`), or a while later (`relaxed`). */
export type Durability = 'always' | 'relaxed';

export type Contender = {
  name: string;
  /** The ports of its front doors. */
  ports: number[];
  token: string;
  /** The process ids whose CPU time is reported, by name. */
  processes(): Record<string, number>;
  /** Opens one more event with all of the hall's seats for sale, and returns its key. */
  openEvent(): Promise<string>;
  /** The answer to a hold of a sold seat. The bare echo knows no seats. */
  soldSeatStatus: 200 | 409;
  /** The version of its database, if it has one. */
  version?: string;
  stop(): Promise<void>;
};

/** Another built checkout, or this one, with further variables of its environment. */
export type Beside = { checkout: string; env: Record<string, string> };

export type StartOptions = { labels: readonly string[]; durability: Durability; cluster: boolean; beside?: Beside };
