import { options } from 'preact';

/** Renders the changes of state that a function makes before it returns. A browser prints what is there after `beforeprint`. */
export const renderAtOnce = (change: () => void): void => {
  const { debounceRendering } = options;
  options.debounceRendering = (render) => render();
  change();
  if (debounceRendering === undefined) delete options.debounceRendering;
  else options.debounceRendering = debounceRendering;
};
