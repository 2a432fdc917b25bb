import type { UsCoreOptions } from '../fhir/us-core.ts';
import { isStoredAsConforming, type StoredText, withProfile } from '../records/profile.ts';
import { absentRole } from './absent-roles.ts';
import { careTeamFacts } from './facts.ts';
import type { CareTeam } from './model.ts';

const withAbsentRoles = ({ participant, ...team }: CareTeam): CareTeam =>
  participant === undefined
    ? team
    : { ...team, participant: participant.map((one) => ({ role: [{ coding: [absentRole] }], ...one })) };

/** How many characters of texts are remembered. */
const maxRemembered = 1024 * 1024;

/** The texts of teams that were shown, by their stored texts: to parse a team takes as long as to read it. */
const remembered = { texts: new Map<string, string>(), length: 0 };

const present = (stored: string): string => {
  const known = remembered.texts.get(stored);
  if (known !== undefined) return known;
  const shown = JSON.stringify(withProfile(careTeamFacts, withAbsentRoles(JSON.parse(stored))));
  if (remembered.length > maxRemembered) {
    remembered.texts.clear();
    remembered.length = 0;
  }
  remembered.texts.set(stored, shown);
  remembered.length += stored.length + shown.length;
  return shown;
};

/** The text of a care team in which each participant has a role. A team that conforms is shown as it is stored. */
export const addAbsentRoles = ({ id, resource }: StoredText): string =>
  isStoredAsConforming('CareTeam', { id, resource }) ? resource : present(resource);

/** How the text of a stored care team is shown: as it is, or as US Core demands it. */
export const createTeamPresenter = (usCore: UsCoreOptions | null): ((team: StoredText) => string) =>
  usCore === null ? ({ resource }) => resource : addAbsentRoles;
