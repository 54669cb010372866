/** The value below which `share` (0 to 1) of the sorted values lie; NaN of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function medianOf(values: number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
