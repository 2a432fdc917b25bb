import type { z } from 'zod';

/** A value that cannot be changed by the code that has it. A constant value is assignable to it. */
export type DeepReadonly<A> = { readonly [Key in keyof A]: DeepReadonly<A[Key]> };

/** The type that the schema of a response describes. */
export type SchemaOutput<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;
