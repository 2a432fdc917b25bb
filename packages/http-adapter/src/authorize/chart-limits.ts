import { type AuthorizeCharts, type ChartLimit, isId } from '@clinical-records/core';
import { chartLimitFor, type Interaction } from '../scopes.ts';
import type { AuthorizationQuestion, Authorize } from './authorize.ts';

type Sender = Pick<AuthorizationQuestion, 'principal' | 'request'>;

/** The charts that a sender reaches by an interaction with a type; null if the scopes do not allow it. */
export type ChartLimits = (type: string, interaction: Interaction) => ChartLimit | null;

const isPatientIds = (limitTo: unknown): limitTo is string | readonly string[] =>
  [limitTo].flat().every(isId);

/** The limit of an answer. Throws if a host in plain JavaScript returned something else. */
const limitOf = (answer: unknown): Pick<ChartLimit, 'within'> => {
  if (answer === 'allow') return {};
  if (answer === 'deny') return { within: [] };
  if (typeof answer === 'object' && answer !== null && 'limitTo' in answer && isPatientIds(answer.limitTo)) {
    return { within: answer.limitTo };
  }
  throw new TypeError("authorize() must return 'allow', 'deny' or { limitTo } with ids of patients.");
};

/** Asks the host which charts a sender reaches by an interaction with a type, whatever its scopes are. */
export const createAuthorizeCharts =
  (
    sender: Sender,
    authorize: Authorize,
    asked: Pick<AuthorizationQuestion, 'resourceType' | 'interaction'>,
  ): AuthorizeCharts =>
  async ({ id, patientIds }) =>
    limitOf(await authorize({ ...sender, ...asked, id, patientIds: [...patientIds] }));

/** The charts that a sender reaches: those of the scopes, and of them those that `authorize` allows. */
export const createChartLimits = (sender: Sender, authorize: Authorize | undefined): ChartLimits => {
  if (authorize === undefined) {
    return (type, interaction) => chartLimitFor(sender.principal, type, interaction);
  }
  return (resourceType, interaction) => {
    const limit = chartLimitFor(sender.principal, resourceType, interaction);
    return (
      limit && {
        ...limit,
        authorize: createAuthorizeCharts(sender, authorize, { resourceType, interaction }),
      }
    );
  };
};
