import { expectTypeOf, test } from 'vitest';
import type {
  Bundle,
  CareTeam,
  ChartCommand,
  ClinicalRecords,
  DirectoryEntry,
  Goal,
  Immunization,
  ResourceChange,
  ResourceHistoryEntry,
  ResourceType,
  ResourceVersion,
  ServiceRequest,
} from '../../src/index.ts';

test('a read returns the resource of its type', () => {
  expectTypeOf<ClinicalRecords['serviceRequests']['read']>().returns.toEqualTypeOf<Promise<ServiceRequest>>();
  expectTypeOf<ClinicalRecords['goals']['read']>().returns.toEqualTypeOf<Promise<Goal>>();
  expectTypeOf<ClinicalRecords['careTeams']['read']>().returns.toEqualTypeOf<Promise<CareTeam>>();
  expectTypeOf<ClinicalRecords['immunizations']['read']>().returns.toEqualTypeOf<Promise<Immunization>>();
});

test('a search returns a bundle of resources of its type, and a history the versions of one', () => {
  expectTypeOf<ClinicalRecords['goals']['search']>().returns.toEqualTypeOf<Promise<Bundle<Goal>>>();
  expectTypeOf<ClinicalRecords['goals']['history']>().returns.toEqualTypeOf<
    Promise<readonly ResourceHistoryEntry<Goal>[]>
  >();
});

test('a walk through all matches yields resources of its type, and texts under asJson', () => {
  const orders = (records: ClinicalRecords) => records.serviceRequests.all({ patient: '7' });
  expectTypeOf(orders).returns.toEqualTypeOf<AsyncGenerator<ServiceRequest, void>>();
  expectTypeOf<ClinicalRecords['goals']['all']>().returns.toEqualTypeOf<AsyncGenerator<Goal, void>>();
  expectTypeOf<ClinicalRecords['careTeams']['all']>().returns.toEqualTypeOf<AsyncGenerator<CareTeam, void>>();
  expectTypeOf<ClinicalRecords['immunizations']['all']>().returns.toEqualTypeOf<
    AsyncGenerator<Immunization, void>
  >();
  expectTypeOf<ClinicalRecords['goals']['asJson']['all']>().returns.toEqualTypeOf<
    AsyncGenerator<string, void>
  >();
});

test('a write returns the resource as it is from then on', () => {
  expectTypeOf<ClinicalRecords['immunizations']['create']>().returns.toEqualTypeOf<Promise<Immunization>>();
  expectTypeOf<ClinicalRecords['immunizations']['update']>().returns.toEqualTypeOf<Promise<Immunization>>();
  expectTypeOf<ClinicalRecords['careTeams']['update']>().returns.toEqualTypeOf<Promise<CareTeam>>();
});

test('the commands of a resource have the type that the other functions of the chart return, and their ids are accepted', () => {
  const commandsOf = (chart: ClinicalRecords['chart'], order: ServiceRequest, team: CareTeam) => {
    const { resourceType, id: resourceId } = order;
    expectTypeOf(chart.commandsOf({ resourceType, resourceId })).toEqualTypeOf<
      Promise<readonly ChartCommand[]>
    >();
    // @ts-expect-error no command makes a care team
    chart.commandsOf({ resourceType: team.resourceType, resourceId: team.id });
  };
  expectTypeOf(commandsOf).toBeFunction();
});

test('the same functions under asJson return texts', () => {
  expectTypeOf<ClinicalRecords['goals']['asJson']['read']>().returns.toEqualTypeOf<
    Promise<ResourceVersion>
  >();
  expectTypeOf<ClinicalRecords['goals']['asJson']['search']>().returns.toEqualTypeOf<Promise<string>>();
  expectTypeOf<ClinicalRecords['immunizations']['asJson']['create']>().returns.toEqualTypeOf<
    Promise<ResourceVersion>
  >();
});

test('a directory entry that is put is returned as it is stored', () => {
  const put = ({ directory }: ClinicalRecords) => directory.put('Patient', { id: '7', lastName: 'Shaw' });
  expectTypeOf(put).returns.toEqualTypeOf<Promise<DirectoryEntry['Patient']>>();
});

test('the resourceType of a change determines the type of its resource', () => {
  const look = (change: ResourceChange) => {
    if (change.resourceType === 'Goal') expectTypeOf(change.resource).toEqualTypeOf<Goal | null>();
    if (change.resourceType === 'CareTeam') expectTypeOf(change.resource).toEqualTypeOf<CareTeam | null>();
    expectTypeOf(change.resourceType).toEqualTypeOf<ResourceType>();
  };
  expectTypeOf(look).parameter(0).toEqualTypeOf<ResourceChange>();
});

test('the fields of a resource have the values of the interface, and cannot be assigned', () => {
  expectTypeOf<Immunization['status']>().toEqualTypeOf<'completed' | 'entered-in-error' | 'not-done'>();
  expectTypeOf<Goal['lifecycleStatus']>().toEqualTypeOf<'active' | 'completed' | 'entered-in-error'>();
  const rename = (goal: Goal) => {
    // @ts-expect-error a resource is what derives from the chart
    goal.description = { text: 'Walk' };
  };
  expectTypeOf(rename).parameter(0).toEqualTypeOf<Goal>();
});
