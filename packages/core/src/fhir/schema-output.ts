import type { z } from 'zod';

/** A value that whoever holds it cannot change, and that takes one which is constant. */
export type DeepReadonly<A> = { readonly [Key in keyof A]: DeepReadonly<A[Key]> };

/** The type of what a schema of answers describes. */
export type SchemaOutput<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;
