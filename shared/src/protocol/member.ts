/**
 * A process's account of itself: what each service answers to a roll call (`subjects.rollCall`). An operator's commands
 * make the calls (scripts/status, scripts/doctor); nothing is sent without one. A service of an earlier build does not
 * answer. Fields that a service cannot tell are left out.
 */

export type ServiceKind = 'frontdoor' | 'inventory-shard' | 'catalog' | 'notifier';

export type Member = OwnFacts & {
  service: ServiceKind;
  id: string;
  /** Of the package. */
  version: string;
  /** Of Node. */
  node: string;
  host: string;
  pid: number;
  /** By the process's own clock (epoch ms), as `now`: the moment of the answer. */
  startedAt: number;
  now: number;
  /** Processor time of the process since its start, in microseconds. */
  cpuUs: number;
  memoryBytes: number;
  /** The most files and connections that the process may have open at once. */
  filesMax?: number;
  /** The disk of the data folder. */
  disk?: { usedShare: number; bytesFree: number };
  /** Of the server that the process is connected to. */
  nats?: { server: string; version: string };
};

/** The facts of one kind of service. */
export type OwnFacts = {
  /**
   * Of a front door. Null for a lifted budget; `off`: no budget at all. Only limits of the deployment's own setting.
   */
  budgets?: Record<string, number | null> | 'off';
  trustsProxies?: boolean;
  viewers?: number;
  /** Of a shard: the address that front doors are told for direct links. */
  link?: string;
  loadedEvents?: number;
  eventBytes?: number;
  eventBytesMax?: number;
  /** Of a catalog. */
  store?: 'mongodb' | 'embedded';
};
