/** Settings of an event that its records carry whole: ticket releases and channels. Fields are only ever added. */

/**
 * A ticket release. Only a ticket release with the action `buy` prices holds and uses its quota. Other actions lead to
 * `actionUrl`. Null: not set.
 */
export type TicketRelease = {
  id: string;
  name: string;
  /** In the event's unit. */
  price: number;
  previousPrice: number | null;
  /** The number of units that may be held and booked under it at one time. */
  quota: number | null;
  startsAt: number | null;
  endsAt: number | null;
  /** Null: every category without tiers. */
  categoryKey: string | null;
  action: 'buy' | 'apply' | 'invoice';
  actionUrl: string | null;
  /** The time of the call that closed it, which sets `endsAt` too. */
  closedAt: number | null;
};

/** A named stock of an event's units. */
export type Channel = {
  id: string;
  name: string;
  color: string | null;
  marker: string | null;
  externalRef: string | null;
  state: 'active' | 'paused' | 'archived';
  /** The destination of its units: a channel's id, or `public`. */
  archiveDestination: string | null;
  /** The intended way to its seats. */
  accessIntent: 'none' | 'internal' | 'server' | 'hosted_link';
  priceOverrides: PriceOverride[];
  /** Grows with each change of `priceOverrides`, from 1. */
  pricingVersion: number;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
};

/**
 * The places that a visitor of public sale may hold in the event: in one hold, in all holds of a session, and in all
 * holds from an address. Null: no bound. An absent field: the organisation's value, else the default.
 */
export type PublicSale = {
  maxPerHold?: number | null;
  maxHeldPerSession?: number | null;
  maxHeldPerAddress?: number | null;
};

/** The price of a category in a channel; each tier of a tiered category has its own. In the event's unit. */
export type PriceOverride = { categoryKey: string; tierId: string | null; price: number };

/** Prices of a channel for categories or tiers that another chart lacks. */
export type DroppedPrices = { channelId: string; priceOverrides: PriceOverride[] };
