import type { CareTeamRole } from '@clinical-records/core';

/** The description of the server that serves the chart, at `/chart/settings.json`. */
export type ChartSettings = {
  /** The path of the interface, such as `/fhir`. */
  readonly basePath: string;
  readonly extensionBase: string;
  /** The roles of care teams. */
  readonly roles: readonly CareTeamRole[];
  /** Where a token comes from, in a sentence. */
  readonly tokenHint: string;
  /** Whether users with the right can move records and merge charts. */
  readonly hasCorrections: boolean;
  /** The people as whom a visitor of the demo clinic can sign in; none for another clinic. */
  readonly demoUsers: readonly DemoUser[];
};

/** Somebody of the demo clinic. */
export type DemoUser = { readonly id: string; readonly name: string; readonly role: string };
