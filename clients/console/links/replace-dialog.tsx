import { useEffect, useRef, useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { useChange } from '../parts/kit/change.tsx';
import { TextField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { count, counted } from '../parts/time.ts';
import { commonOrigin, hasText, type Replacement, replacedIn, replacementOf } from './replacement.ts';
import type { Selected } from './selection.ts';

type ReplaceDialogProps = {
  readonly links: readonly Selected[];
  readonly onReplace: (replacement: Replacement) => void;
  readonly onClose: () => void;
};

/** Asks what to replace in the destinations of links, and shows the result for the first one. */
export function ReplaceDialog({ links, onReplace, onClose }: ReplaceDialogProps) {
  const [from, setFrom] = useState(() => commonOrigin(links.map(({ url }) => url)));
  const [to, setTo] = useState('');
  const replacement = replacementOf(trimmed(from), trimmed(to));
  const found = links.filter(({ url }) => hasText(url, replacement.from));
  const [first] = found;
  const field = useRef<HTMLInputElement>(null);
  // The first field is already filled in. On a phone, no field gets the focus.
  useEffect(() => void (document.activeElement?.matches('input') && field.current?.focus()), []);
  return (
    <FormDialog
      title={`Change the destinations of ${counted(links.length, 'link')}`}
      onClose={onClose}
      change={useChange(undefined)}
      action="Change"
      isReady={replacement.from !== '' && replacement.to !== '' && replacement.from !== replacement.to}
      run={async () => {
        onReplace(replacement);
        return {};
      }}
    >
      <TextField label="Replace" value={from} spellCheck={false} onText={setFrom} />
      <TextField
        label="With"
        value={to}
        spellCheck={false}
        ref={field}
        onText={setTo}
        hint="This includes rules, variants, and where links lead after they end."
      />
      <p role="status">
        Found in {count(found.length)} of {counted(links.length, 'link')}
        {first && replacement.to !== '' && (
          <>
            . The first one becomes <bdi className="long">{replacedIn(first.url, replacement)}</bdi>
          </>
        )}
      </p>
    </FormDialog>
  );
}
