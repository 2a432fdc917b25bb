/**
 * A client of the interface over HTTP, which loses and doubles nothing.
 * You need it in a page, or in a program beside the backend.
 *
 * @module @clinical-records/client
 */

export { type Client, createClient, type SearchOptions } from './client.ts';
export type { Commands, EndOptions, MemberStatus } from './commands.ts';
export type {
  CorrectedPatients,
  Corrections,
  MergePreview,
  MisplacedRecord,
  MovePreview,
  ReadCorrection,
} from './corrections.ts';
export { ConnectionError, type OutcomeIssue, RequestError } from './errors.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export type {
  ClinicalTypes,
  Page,
  PartOf,
  Read,
  SearchOf,
  TypeOfResource,
  Types,
  TypesWith,
} from './types.ts';
export type { ChartChange, OnChange, WatchOptions } from './watch.ts';
export type { KeyOptions, VersionOptions, WriteOptions } from './writes.ts';
