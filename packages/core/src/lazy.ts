/** Makes a value when it is first needed. */
export const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Makes a value for each key when it is first needed. */
export const onceFor = <Key, A>(make: (key: Key) => A): ((key: Key) => A) => {
  const made = new Map<Key, A>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

const makerOf = Symbol('makerOf');

/** An object with properties that are made when they are first read. */
type Lazy = { readonly [makerOf]: (name: string) => unknown };

const shown = { enumerable: true, configurable: true };

/** The property with a name. All objects share its getter: those of one object take more time than a write. */
const propertyOf = onceFor(
  (name: string): PropertyDescriptor => ({
    ...shown,
    get(this: Lazy) {
      const value = this[makerOf](name);
      // It fails for an object that was frozen, whose property is then made again.
      Reflect.defineProperty(this, name, { ...shown, writable: true, value });
      return value;
    },
  }),
);

/** Creates an object with properties of some names, each of which is made when it is first read. */
export const lazily = <A extends object>(names: readonly string[], make: (name: string) => unknown): A => {
  const object = Object.defineProperty({}, makerOf, { value: make });
  for (const name of names) Object.defineProperty(object, name, propertyOf(name));
  return object as A;
};
