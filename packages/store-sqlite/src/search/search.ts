import type { Query } from '@clinical-records/core';
import type { Criteria } from './criteria.ts';

/** A query and what it asks for: the arguments of every statement that searches. */
export type Search = { readonly query: Query; readonly criteria: readonly Criteria[] };

/** Where a search begins: at the entries that one of its criteria finds, or at the records themselves. */
export type Lead = number | 'records';
