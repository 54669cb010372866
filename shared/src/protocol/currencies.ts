/**
 * The currencies that money may have, with the digits of their minor units: ISO 4217, list one, as of 2026 (published
 * by SIX for ISO). The digits of Intl are other ones: Intl follows the habits of shops, which print no fillér and no
 * sen, and changes with the ICU of the platform. Payment services charge in the units of ISO 4217. The bond units,
 * precious metals, test codes and drawing rights of the list have no minor unit and are no currencies of a sale.
 */

// The picker's page needs the other digits alone, and loads no more.
const ofTwoDigits =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
  'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ' +
  'ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV ' +
  'MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD ' +
  'SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG';

const ofOtherDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

let known: ReadonlySet<string> | null = null;

export function isCurrency(code: string): boolean {
  known ??= new Set([ofTwoDigits, ...Object.values(ofOtherDigits)].flatMap((codes) => codes.split(' ')));
  return known.has(code);
}

/** The digits of the minor unit: 2 for EUR and HUF, 0 for JPY and CLP, 3 for KWD. 2 for a code that the list lacks. */
export function digitsOf(code: string): number {
  const other = Object.entries(ofOtherDigits).find(([, codes]) => code.length === 3 && codes.includes(code));
  return other === undefined ? 2 : Number(other[0]);
}
