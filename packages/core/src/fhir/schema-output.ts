import type { z } from 'zod';

/** Properties that cannot be assigned, with arrays that cannot be changed. Objects in them have types of their own. */
type ReadonlyProperties<A> = {
  readonly [Key in keyof A]: A[Key] extends (infer Element)[] | undefined
    ? readonly Element[] | Extract<A[Key], undefined>
    : A[Key];
};

/** The type of a schema's values. The code that has a value cannot change it, and a constant value is assignable. */
export type SchemaOutput<Schema extends z.ZodType> = ReadonlyProperties<z.output<Schema>>;

/** The same schema, with a named type of its values. An editor shows the name, and not all the elements. */
export const named = <Value>(schema: z.ZodType<Value>): z.ZodType<Value> => schema;
