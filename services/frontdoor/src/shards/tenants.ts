/**
 * Shares the places for commands in flight between tenants (organisations). A tenant may have as many commands in
 * flight as places are free: the dynamic threshold of Choudhury and Hahne ("Dynamic queue length thresholds for
 * shared-memory packet switches", 1998). A lone tenant takes half of the places. Of n tenants that ask for more than
 * they get, each converges to one part of n + 1, and the last part stays free for the next tenant. So a flood is
 * refused while a newcomer is admitted. Asking and leaving cost one look-up and one count, for any number of tenants.
 */
export type Tenant = { inFlight: number };

/** Tenants that are kept before idle tenants are forgotten. Afterwards the double of the tenants that wait. */
const KEPT_MIN = 1_024;

export class Tenants {
  readonly #places: number;
  readonly #tenants = new Map<string, Tenant>();
  #inFlight = 0;
  #refused = 0;
  #forgetAt = KEPT_MIN;

  constructor(places: number) {
    this.#places = places;
  }

  /** Commands that were refused since the start because their tenant had its share. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes a place for the tenant; null if the tenant has its share. */
  enter(organisationId: string): Tenant | null {
    const tenant = this.#tenants.get(organisationId) ?? this.#add(organisationId);
    if (tenant.inFlight >= this.#places - this.#inFlight) {
      this.#refused++;
      return null;
    }
    return this.#count(tenant);
  }

  /** Takes a place past the tenant's share, for a command without which the tenant's other commands cannot end. */
  enterPastShare(organisationId: string): Tenant {
    return this.#count(this.#tenants.get(organisationId) ?? this.#add(organisationId));
  }

  leave(tenant: Tenant): void {
    tenant.inFlight--;
    this.#inFlight--;
  }

  #count(tenant: Tenant): Tenant {
    tenant.inFlight++;
    this.#inFlight++;
    return tenant;
  }

  #add(organisationId: string): Tenant {
    if (this.#tenants.size >= this.#forgetAt) this.#forgetIdle();
    const tenant = { inFlight: 0 };
    this.#tenants.set(organisationId, tenant);
    return tenant;
  }

  #forgetIdle(): void {
    for (const [organisationId, { inFlight }] of this.#tenants)
      if (inFlight === 0) this.#tenants.delete(organisationId);
    this.#forgetAt = Math.max(KEPT_MIN, 2 * this.#tenants.size);
  }
}
