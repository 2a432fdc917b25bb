import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, idError, misuse } from './errors.ts';

/** The form of a value in a call: a type of JavaScript, or a function that checks it. Plain JavaScript may pass any other value. */
export type Form = {
  /** The end of the sentence that says what it must be, such as `a string`. */
  readonly must: string;
  /** The error of any other value. Default: a `Misuse` that says what it must be. */
  readonly error?: ClinicalError;
  /** Whether an argument can be left out. An option always can. */
  readonly isOptional?: true;
  /** The part of an access that it is, if the call is reported to the audit. */
  readonly names?: 'id' | 'parameters';
  /** Returns what the function gets, for a value that can change, or be read only once. Default: the value. */
  readonly read?: (value: unknown) => unknown;
} & (
  | { readonly type: 'string' | 'boolean' | 'number' | 'function' }
  | { readonly type?: undefined; readonly is: (value: unknown) => boolean }
);

/** The names of all members of a union. */
export type NamesOf<Options> = Options extends unknown ? keyof Options : never;

/** The forms of the options of a function. The compiler requires each. */
export type OptionForms<Options> = Readonly<Record<NamesOf<Options>, Form>>;

/** A value that the function checks by itself. A promise that was not awaited would pass for an object without values. */
export const anything: Form = {
  is: (value) => !(value instanceof Promise),
  must: 'awaited before it is passed',
  isOptional: true,
};

export const text: Form = { type: 'string', must: 'a string' };

export const flag: Form = { type: 'boolean', must: 'true or false' };

export const number: Form = { type: 'number', must: 'a number' };

export const callback: Form = { type: 'function', must: 'a function' };

/** The id of a resource. */
export const id: Form = { ...text, error: idError, names: 'id' };

/** A reference to whoever acts. A store would store another text than one that is not well-formed. */
export const actor: Form = {
  is: (value) => typeof value === 'string' && value.isWellFormed(),
  must: 'a string such as Practitioner/12',
};

const hasText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.isWellFormed() && value.trim() !== '' && value.length <= most;

/** The software that acts for a user. It is stored as it is at the call. */
export const agent: Form = {
  read: (value) => (isNamedValues(value) ? { ...value } : value),
  is: (value) => {
    if (!isPlain(value)) return false;
    const { reference, display, ...others } = value;
    const isNamed = display === undefined || hasText(display, 200);
    return hasText(reference, 200) && isNamed && Object.keys(others).length === 0;
  },
  must: 'an object with a reference such as Device/assistant, and a display of at most 200 characters',
};

/** An object whose properties are all its own: those of a class could be a limit that a copy loses. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** An array as it is at the call. */
export const copyOf = (value: unknown): unknown => (Array.isArray(value) ? [...value] : value);

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** An object with named values. A date, a list, and a promise that was not awaited have none. */
export const isNamedValues = (value: unknown): value is object => tagOf(value) === '[object Object]';

export const namedValues: Form = { is: isNamedValues, must: 'an object' };

const fits = (form: Form, value: unknown): boolean =>
  form.type === undefined ? form.is(value) : typeof value === form.type;

/** An object with these values, and no others. */
export const valuesOf = <Values>(
  forms: OptionForms<Values>,
  ...required: readonly NamesOf<Values>[]
): Form => {
  const formOf: Readonly<Record<string, Form>> = forms;
  const isRight = ([name, value]: readonly [string, unknown]): boolean => {
    const form = Object.hasOwn(formOf, name) ? formOf[name] : undefined;
    return form !== undefined && (value === undefined || fits(form, value));
  };
  return {
    is: (value) =>
      isPlain(value) &&
      required.every((name) => value[name as string] !== undefined) &&
      Object.entries(value).every(isRight),
    must: `an object with ${Object.keys(forms).join(', ')}`,
  };
};

const isDate = (value: unknown): value is Date => tagOf(value) === '[object Date]';

export const date: Form = {
  read: (value) => (isDate(value) ? new Date(value) : value),
  is: isDate,
  must: 'a Date',
};

export const validDate: Form = {
  ...date,
  is: (value) => isDate(value) && !Number.isNaN(value.getTime()),
  must: 'a valid Date',
};

export const optional = (form: Form): Form => ({ ...form, isOptional: true });

export const oneOf = (...texts: readonly string[]): Form => ({
  is: (value) => texts.includes(value as string),
  must: `one of ${texts.join(', ')}`,
});

export const listOf = (form: Form): Form => {
  const { must, read = (value) => value } = form;
  return {
    read: (value) => (Array.isArray(value) ? value.map(read) : value),
    is: (value) => Array.isArray(value) && value.every((item) => fits(form, item)),
    must: `an array, and each of its values ${must}`,
  };
};

/** An object whose values have a form, whatever their names are. */
export const recordOf = (form: Form): Form => {
  const { must, read = (value) => value } = form;
  return {
    is: (value) =>
      isNamedValues(value) && Object.values(value).every((part) => part === undefined || fits(form, part)),
    must: `an object, and each of its values ${must}`,
    read: (value) =>
      isNamedValues(value)
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part)]))
        : value,
  };
};

/** The forms of the arguments of a function: those before its options, and those of the options by their names. */
export type ArgumentForms = {
  readonly takes: readonly Form[];
  readonly options?: Readonly<Record<string, Form>> | undefined;
};

const wrongValue = (what: string, { must, error }: Form): E.Either<ClinicalError, never> =>
  E.left(error ?? misuse(`${what} must be ${must}.`));

/** Reads the options of a call. One that the function does not have is refused, whatever its value is. */
const readOptions = (
  name: string,
  forms: Readonly<Record<string, Form>>,
  sent: unknown,
): E.Either<ClinicalError, object> => {
  if (!isPlain(sent)) return E.left(misuse(`The options of ${name} must be a plain object.`));
  const options: Record<string, unknown> = { ...sent };
  for (const option in options) {
    const form = Object.hasOwn(forms, option) ? forms[option] : undefined;
    if (form === undefined) {
      const names = Object.keys(forms).join(', ');
      return E.left(misuse(`${name} has no option ${option.slice(0, 100)}. Its options are ${names}.`));
    }
    if (options[option] === undefined) continue;
    if (form.read !== undefined) options[option] = form.read(options[option]);
    const value = options[option];
    const isRight = form.type === undefined ? form.is(value) : typeof value === form.type;
    if (!isRight) return wrongValue(`The option ${option} of ${name}`, form);
  }
  return E.right(options);
};

const ordinals = ['first', 'second', 'third', 'fourth'];

/** Reads the arguments of a call: returns what the function gets, or what is wrong with them. */
export const readArguments = (
  name: string,
  { takes, options }: ArgumentForms,
  sent: readonly unknown[],
): E.Either<ClinicalError, readonly unknown[]> => {
  const read: unknown[] = [];
  for (const form of takes) {
    const index = read.length;
    const value = form.read === undefined ? sent[index] : form.read(sent[index]);
    const isLeftOut = value === undefined && form.isOptional === true;
    const isRight = form.type === undefined ? isLeftOut || form.is(value) : typeof value === form.type;
    if (!isRight && !isLeftOut) return wrongValue(`The ${ordinals[index]} argument of ${name}`, form);
    read.push(value);
  }
  const last = sent[read.length];
  if (options !== undefined && last !== undefined) {
    const readLast = readOptions(name, options, last);
    if (E.isLeft(readLast)) return readLast;
    read.push(readLast.right);
  }
  for (let index = read.length; index < sent.length; index += 1)
    if (sent[index] !== undefined) return E.left(misuse(`${name} does not take so many arguments.`));
  return E.right(read);
};
