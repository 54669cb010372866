/** Amounts of money in forms: a person writes 12.50, the server takes it in the unit of the event. Pure. */
import { digitsOf } from '@parterre/shared/protocol/currencies';
import { inMajorUnits, priceMaxIn, unitOf } from '@parterre/shared/protocol/money';
import type { MoneyUnit } from '../../src/messages/words.ts';

/** `12.50`, for the value of a number field. */
export function amountText(amount: number, { currency, priceUnit = 'major' }: MoneyUnit): string {
  return inMajorUnits(amount, currency, priceUnit).toFixed(priceUnit === 'minor' ? digitsOf(currency) : 0);
}

/** What a person may write, as a hint. */
export const amountExample = (unit: MoneyUnit): string => amountText(unit.priceUnit === 'minor' ? 1250 : 12, unit);

/** The step of a number field. */
export function amountStep({ currency, priceUnit = 'major' }: MoneyUnit): string {
  return priceUnit === 'minor' ? String(10 ** -digitsOf(currency)) : '1';
}

/** In the unit of the event. Null for a text that is no amount, has too many digits, or is out of range. */
export function amountFrom(written: string, { currency, priceUnit }: MoneyUnit): number | null {
  const unit = unitOf({ priceUnit });
  const factor = unit === 'minor' ? 10 ** digitsOf(currency) : 1;
  const value = Number(written.trim().replace(',', '.'));
  const amount = Math.round(value * factor);
  const isWhole = written.trim() !== '' && Math.abs(value * factor - amount) < 1e-6;
  return isWhole && amount >= 0 && amount <= priceMaxIn(unit) ? amount : null;
}
