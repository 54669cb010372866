/** A place in the buyer's selection. */
export type Wanted = { label: string; tierId?: string; quantity?: number };

/**
 * A line of a hold, priced by the server. Amounts are in the event's unit: 1250 of minor EUR is €12.50. `fees` come on
 * top of `unitPrice` for each place or guest, unless the price has them in it (`allIn`).
 */
export type HeldItem = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  tierId: string | null;
  unitPrice: number;
  currency: string;
  priceUnit?: 'major' | 'minor';
  fees?: readonly { name: string; amount: number }[];
  allIn?: boolean;
  quantity?: number;
};

/** `operationId` names the hold of a performance group. `expiresAt` is in milliseconds since 1970. */
export type Hold = {
  holdId: string;
  operationId?: string;
  expiresAt: number;
  labels: string[];
  items: HeldItem[];
  extends: number;
};

/** A refusal: its code for programs, its text for the buyer. */
export type MapError = { code: string; text: string; message?: string; labels?: string[] };

/** Texts of the host, by the picker's keys. A plural text has a form for each plural of its language. */
export type Messages = Record<string, string | ({ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>)>;

/** The events of the element, with their `detail`. Each one bubbles. */
export interface MapEvents {
  selectionchange: Wanted[];
  hold: Hold;
  /** The buyer goes on to pay for the hold. */
  'parterre-continue': Hold;
  holdexpired: undefined;
  holdreleased: undefined;
  booked: string[];
  error: MapError;
}

export type State = {
  connection: 'opening' | 'live' | 'waiting' | 'ended';
  selection: Wanted[];
  hold: Hold | null;
};

export interface ParterreMap {
  /** Holds the selection. False after a refusal, which the map shows. */
  hold(): Promise<boolean>;
  extend(): Promise<boolean>;
  release(): Promise<boolean>;
  clear(): void;
  /** Chooses free seats by label, or drops them from the choice. Throws a TypeError for anything but labels. */
  toggle(labels: string | readonly string[]): void;
  state(): State;
  /** The position of a seat on the map, in CSS pixels; null for an unknown label. */
  placeOf(label: string): { x: number; y: number } | null;
  /** Another language, or other texts. The choice and the hold stay. */
  speak(speech: { locale?: string; messages?: Messages }): Promise<void>;
  destroy(): void;
}

/** The settings of the map. Name an event or a performance group, and one way in: a key, a token or a link. */
export interface ParterreMapProps {
  event?: string;
  group?: string;
  /** The address of the server; the page's own where absent. */
  baseUrl?: string;
  publicKey?: string;
  /** The publishable key itself is the credential. */
  bearer?: boolean;
  /** Gives a token of the buyer's session. */
  token?: () => Promise<string>;
  /** The capability of an access link. */
  access?: string;
  /** The buyer, when the page's sessions belong to persons. */
  holder?: string;
  maxSelection?: number;
  colours?: 'palette' | 'chart';
  /** In BCP 47. */
  locale?: string;
  messages?: Messages;
}

/** `<parterre-map>`. On a server this is an empty class. */
export class ParterreMapElement extends HTMLElement {
  readonly map: ParterreMap | null;
  token: (() => Promise<string>) | null;
  messages: Messages | null;
}

export type Access =
  | { publicKey: string; bearer?: boolean }
  | { capability: string }
  | { token: () => Promise<string> };

export type MapOptions = (
  | { event: string; access: Access }
  | { event?: undefined; group: string; access: Exclude<Access, { capability: string }> }
) & {
  baseUrl?: string;
  maxSelection?: number;
  locale?: string;
  messages?: Messages;
  colours?: 'palette' | 'chart';
  holder?: string;
  /** The storage that keeps the hold over a reload, sessionStorage where absent; null for none. */
  storage?: Storage | null;
  onSelectionChange?(selection: Wanted[]): void;
  onHold?(hold: Hold): void;
  /** The buyer goes on to pay for the hold. */
  onContinue?(hold: Hold): void;
  onHoldExpired?(): void;
  onHoldReleased?(): void;
  onBooked?(labels: string[]): void;
  onError?(error: MapError): void;
};

/** Makes a map in `container`, in a browser alone. */
export function createMap(container: HTMLElement, options: MapOptions): ParterreMap;

declare global {
  interface HTMLElementTagNameMap {
    'parterre-map': ParterreMapElement;
  }
}
