/** One server under load: Parterre or a baseline. */

/** When what was acknowledged is on the disk: before the answer, or a while after. */
export type Durability = 'always' | 'relaxed';

export type Contender = {
  name: string;
  /** Of its front doors. */
  ports: number[];
  token: string;
  /** The process ids CPU time is told for, by name. */
  processes(): Record<string, number>;
  /** Puts all of the hall's seats up for sale as one more event, and tells its key. */
  openEvent(): Promise<string>;
  stop(): Promise<void>;
};

export type StartOptions = { labels: readonly string[]; durability: Durability; cluster: boolean };
