/** A sentence that a screen reader reads at once; nothing for an empty one. */
export const Alert = ({ sentence }: { readonly sentence: string }) =>
  sentence === '' ? null : (
    <p class="notice" role="alert">
      {sentence}
    </p>
  );
