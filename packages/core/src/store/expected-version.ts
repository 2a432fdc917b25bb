/** The version that a write requires of the record it replaces. */
export type ExpectedVersion =
  | {
      /** The record must not exist. */
      readonly _tag: 'Absent';
    }
  | {
      /** The record must have one version. */
      readonly _tag: 'Version';
      /** That version. Versions count from 1. */
      readonly version: number;
    }
  | {
      /** The record may have any version, or not exist. */
      readonly _tag: 'Any';
    };

/** The record must not exist yet. */
export const noVersion: ExpectedVersion = { _tag: 'Absent' };

/** The record may have any version, or not exist. */
export const anyVersion: ExpectedVersion = { _tag: 'Any' };

/** The record must have exactly this version. Versions count from 1. */
export const exactVersion = (version: number): ExpectedVersion => ({ _tag: 'Version', version });

/** Whether a record at version `actual`, or null if there is none, meets an expectation. */
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
