/** What a write demands of the record it replaces. */
export type ExpectedVersion =
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Version'; readonly version: number }
  | { readonly _tag: 'Any' };

/** There is no such record yet. */
export const noVersion: ExpectedVersion = { _tag: 'Absent' };

/** Whatever is there, or nothing. */
export const anyVersion: ExpectedVersion = { _tag: 'Any' };

/** The record stands at exactly this version. Versions count from 1. */
export const exactVersion = (version: number): ExpectedVersion => ({ _tag: 'Version', version });

/** Whether a record at `actual` (null: there is none) is what was expected. */
export const isExpectedVersion = (expected: ExpectedVersion, actual: number | null): boolean => {
  switch (expected._tag) {
    case 'Absent':
      return actual === null;
    case 'Version':
      return actual === expected.version;
    case 'Any':
      return true;
  }
};
