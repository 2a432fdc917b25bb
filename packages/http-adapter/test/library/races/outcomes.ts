import type { CareTeam, ClinicalRecords, ClinicalStore } from '@clinical-records/core';
import { expect } from 'vitest';
import { extensionBase, readFeed } from '../../clinic.ts';
import { posts, puts } from './writes.ts';

/** Expects that the encounter has one note with every statement. */
export const expectOneNote = async (records: ClinicalRecords, store: ClinicalStore): Promise<void> => {
  const versions = await readFeed(store);
  const notes = versions.filter(({ type, state }) => type === 'Note' && state.includes('"race"'));
  expect(notes).toHaveLength(1);
  const encounter = await records.directory.read('Encounter', 'race');
  expect(encounter?.noteId).toBe(notes[0]?.id);
  const { total, entry = [] } = await records.immunizations.search({ patient: 'amy', _count: 100 });
  expect(total).toBe(posts.length);
  for (const { resource } of entry) {
    expect(resource.extension).toContainEqual({ url: `${extensionBase}/note-id`, valueId: notes[0]?.id });
  }
};

const membersOf = ({ participant = [] }: Pick<CareTeam, 'participant'>): readonly string[] =>
  participant.map(({ member }) => member.reference);

const membersSentBy = (by: string | null | undefined): readonly string[] =>
  puts.filter((one) => one.by === by).flatMap(({ body }) => membersOf(body as CareTeam));

/** That each list is in force from its version on, and whoever was active before and is not on it is inactive, not gone. */
export const expectNobodyVanished = async ({ careTeams }: ClinicalRecords): Promise<void> => {
  const [newest] = await careTeams.history('amy');
  const active = membersOf(await careTeams.read('amy'));
  const inactive = membersOf(await careTeams.read('amy.inactive'));
  const everybody = new Set(puts.flatMap(({ by }) => membersSentBy(by)));
  expect(new Set(active)).toEqual(new Set(membersSentBy(newest?.by)));
  expect(new Set(inactive)).toEqual(everybody.difference(new Set(active)));
};
