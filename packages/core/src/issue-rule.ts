import type { careTeamIssues } from './care-team/model.ts';
import type { chartIssues } from './chart/command.ts';
import type { copyIssues } from './copy/copy-to.ts';
import type { correctionIssues } from './corrections/correction.ts';
import type { directoryIssues } from './directory/model.ts';
import type { generalIssues } from './errors.ts';
import type { bodyIssues, sourceIssues } from './fhir/issues.ts';
import type { goalIssues } from './goal/rules.ts';
import type { immunizationIssues } from './immunization/rules.ts';
import type { importIssues } from './importer/import-report.ts';
import type { idempotencyIssues } from './records/idempotency.ts';
import type { preconditionIssues } from './records/precondition.ts';
import type { searchIssues } from './search/issues.ts';
import type { serviceRequestIssues } from './service-request/model.ts';

/** The stable name of each rule that an issue can be about. Source: docs/errors.md, with what to do about each. */
export type IssueRule =
  | keyof typeof generalIssues
  | keyof typeof bodyIssues
  | keyof typeof sourceIssues
  | keyof typeof searchIssues
  | keyof typeof preconditionIssues
  | keyof typeof idempotencyIssues
  | keyof typeof directoryIssues
  | keyof typeof chartIssues
  | keyof typeof goalIssues
  | keyof typeof serviceRequestIssues
  | keyof typeof immunizationIssues
  | keyof typeof careTeamIssues
  | keyof typeof importIssues
  | keyof typeof copyIssues
  | keyof typeof correctionIssues;
