import { readFileSync, statSync } from 'node:fs';
import type { AuthorReference } from '@clinical-records/core';
import { type Scope, scopeIssues } from '@clinical-records/http-adapter';
import * as z from 'zod';
import { CommandError, unreadableError } from '../command/command-error.ts';
import type { Grant } from './grants.ts';

/** Scopes of SMART that are not about resources. They grant nothing here. Source: SMART App Launch 2.2, "Quick Start". */
const otherScopes: ReadonlySet<string> = new Set([
  ...['openid', 'fhirUser', 'profile', 'offline_access', 'online_access'],
  ...['launch', 'launch/patient', 'launch/encounter'],
]);

const scopes = z
  .array(z.string())
  .superRefine((all, context) => {
    const places = [...all.keys()].filter((place) => !otherScopes.has(all[place] ?? ''));
    const issues = scopeIssues(places.map((place) => all[place] ?? ''));
    if (places.length === 0) context.addIssue({ code: 'custom', message: 'grants nothing' });
    for (const [index, issue] of issues.entries()) {
      if (issue === null) continue;
      context.addIssue({
        code: 'custom',
        path: places.slice(index, index + 1),
        message: `grants nothing: ${issue}`,
      });
    }
  })
  .transform((all) => all.filter((text) => !otherScopes.has(text)) as readonly Scope[]);

const reference = (example: string) =>
  z.custom<AuthorReference>((sent) => /^[A-Z][A-Za-z]*\/\S+$/.test(String(sent)), {
    error: `is not a reference such as ${example}`,
  });

const grant = z
  .strictObject({
    token: z.string().regex(/^\S+$/, { error: 'is empty or has a space' }),
    subject: reference('Practitioner/12'),
    scopes,
    patient: z
      .string()
      .regex(/^(Patient\/)?[A-Za-z0-9\-.]{1,64}$/, { error: 'is not the id of a patient' })
      .optional(),
    agent: z
      .strictObject({
        reference: reference('Device/scribe'),
        display: z.string().min(1).max(200).optional(),
      })
      .optional(),
    expires: z.iso
      .datetime({ offset: true, error: 'is not a time such as 2027-01-31T00:00:00Z' })
      .transform((text) => Date.parse(text))
      .optional(),
  })
  .refine(
    ({ scopes: granted, patient }) =>
      patient !== undefined || !granted.some((one) => one.startsWith('patient/')),
    {
      path: ['patient'],
      error: 'is needed for scopes of patient/',
    },
  );

const grants = z.array(grant).refine((all) => new Set(all.map(({ token }) => token)).size === all.length, {
  error: 'has a token twice',
});

/** The permissions of the group and of others in the mode of a file. */
const groupAndOthers = 0o077;

/** On Windows, the mode does not say who may read a file. */
const isOpenToOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & groupAndOthers) !== 0;

const readJson = (file: string): unknown => {
  let text: string;
  try {
    if (isOpenToOthers(file)) {
      throw new CommandError(
        `other users of this machine can read or change the tokens of ${file}: run chmod 600 ${file}`,
      );
    }
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw unreadableError(`the tokens of ${file}`, cause);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`the tokens of ${file} are not JSON`);
  }
};

/** The path of an issue, such as `[0].scopes[1]`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');

/** Reads the tokens of a file. Throws a `CommandError` with every issue, and without any token. */
export const readTokens = (file: string): readonly Grant[] => {
  const result = grants.safeParse(readJson(file));
  if (!result.success) {
    const faults = result.error.issues.map(({ path, message }) => `${pathText(path)} ${message}`.trim());
    throw new CommandError(`the tokens of ${file} are not as they should be: ${faults.join('; ')}`);
  }
  return result.data.map(({ token, expires, ...principal }) => ({
    token,
    principal: { ...principal, ...(expires !== undefined && { expiresAt: expires }) },
  }));
};
