/** Messages with values: the plural form of a number, and the values in the places of their names. Pure. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<Message> = Message extends string ? NamesIn<Message> : NamesIn<Message[keyof Message]> | 'count';
type Filling<Names extends string> = { [Name in Names]: Name extends 'count' ? number : string | number };
/** The values that the message of a key needs, as the rest of a call. */
export type Filled<Table, Key extends keyof Table> = [NamesOf<Table[Key]>] extends [never]
  ? []
  : [Filling<NamesOf<Table[Key]>>];

/** A text with a number has the form that `count` selects in this language. An unknown name stays as it is. */
export function filler(locale: string): (message: string | Plural, values: Record<string, string | number>) => string {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  // Many languages count 0 as any other number. A message may still have words of its own for it.
  const formOf = (message: Plural, count: number): string =>
    (count === 0 ? message.zero : undefined) ?? message[plurals.select(count)] ?? message.other;
  return (message, values) => {
    const form = typeof message === 'string' ? message : formOf(message, Number(values.count));
    return form.replace(/\{(\w+)\}/g, (gap, name: string) => {
      const value = values[name];
      return value === undefined ? gap : typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
