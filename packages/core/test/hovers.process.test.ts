import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const fileOf = (entry: string) => fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));
const entries = [fileOf('index'), fileOf('adapter')];

const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
const program = ts.createProgram(entries, ts.parseJsonConfigFileContent(config, ts.sys, root).options);
const checker = program.getTypeChecker();

const exportsOf = (file: string): ReadonlyMap<string, ts.Symbol> => {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, checker.getAliasedSymbol(symbol)]));
};
const exported = new Map(entries.flatMap((entry) => [...exportsOf(entry)]));

/** The type that an editor shows for each property of an exported type. */
const hoversOf = (name: string): Readonly<Record<string, string>> => {
  const symbol = exported.get(name);
  const properties = symbol === undefined ? [] : checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return Object.fromEntries(
    properties.map((property) => [property.name, checker.typeToString(checker.getTypeOfSymbol(property))]),
  );
};

describe('an editor shows a name for each part of a resource, a body or a command', () => {
  test.each([
    ['CareTeam', 'participant', 'readonly CareTeamParticipant[] | undefined'],
    ['CareTeamParticipant', 'member', 'NamedReference<"Organization" | "Practitioner">'],
    ['CareTeamUpdateBody', 'participant', 'readonly CareTeamUpdateParticipant[] | undefined'],
    ['Goal', 'target', 'readonly GoalTarget[] | undefined'],
    ['Goal', 'expressedBy', 'SignedReference<"Practitioner"> | undefined'],
    ['ServiceRequest', 'code', 'CodedOrTextConcept<LoincCoding>'],
    ['Immunization', 'vaccineCode', 'CodedConcept<VaccineCoding>'],
    ['ImmunizationCreateBody', 'patient', 'ReferenceInput<"Patient">'],
    ['ImmunizationCommand', 'note', 'readonly Annotation[] | undefined'],
    ['Immunization', 'performer', 'readonly ImmunizationPerformer[] | undefined'],
    ['ImmunizationCommand', 'vaccineCode', 'CommandConceptOrText<VaccineCoding>'],
    ['ImmunizationElements', 'doseQuantity', 'SimpleQuantity | undefined'],
    ['OrderCommand', 'occurrencePeriod', 'Period | undefined'],
    ['ServiceRequest', 'occurrenceTiming', 'Timing | undefined'],
    ['Timing', 'repeat', 'TimingRepeat | undefined'],
    ['OrderElements', 'note', 'readonly Annotation[] | undefined'],
    ['Bundle', 'link', 'readonly BundleLink[]'],
  ])('%s.%s: %s', (type, property, shown) => {
    expect(hoversOf(type)[property]).toBe(shown);
  });

  test.each([
    ...['ServiceRequest', 'Goal', 'CareTeam', 'Immunization', 'Bundle'],
    ...['CareTeamUpdateBody', 'ImmunizationCreateBody', 'ImmunizationUpdateBody'],
    ...['OrderCommand', 'BeginGoalCommand', 'UpdateGoalCommand', 'CloseGoalCommand', 'ImmunizationCommand'],
    ...['CareTeamParticipant', 'CareTeamUpdateParticipant', 'GoalAnnotation', 'PartialCodeableConcept'],
    ...[
      'Annotation',
      'ImmunizationElements',
      'ImmunizationProtocol',
      'ImmunizationReaction',
      'SimpleQuantity',
      'OrderElements',
      'Timing',
      'TimingRepeat',
      'Quantity',
      'Ratio',
      'Range',
      'Period',
    ],
  ])('%s has no type without a name', (type) => {
    const shown = Object.values(hoversOf(type));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((one) => /[{]|Readonly|SchemaOutput/.test(one))).toEqual([]);
  });
});
