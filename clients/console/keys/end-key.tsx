import { useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useAction } from '../parts/forms/action.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ShownOnce } from '../parts/forms/shown-once.tsx';
import { Button } from '../parts/kit/button.tsx';
import { toast } from '../parts/toasts.tsx';
import { api } from '../service/client.ts';
import { patiently } from '../service/patience.ts';
import { deleteSurely } from '../service/removal.ts';
import { type ApiKey, refreshKeys } from './list.ts';
import { overlaps } from './words.ts';

type EndKeyProps = {
  readonly apiKey: ApiKey;
  /** Whether this page uses it. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
};

const nameOf = ({ name, prefix }: ApiKey): string => (name === null ? `${prefix}…` : `“${name}”`);

/** Makes a key that replaces another one. */
export function RotateKey({ apiKey, isOwn, onClose }: EndKeyProps) {
  const [overlapSeconds, setOverlap] = useState(overlaps[0]?.[0] ?? 0);
  const [made, setMade] = useState<string>();
  const { isBusy, note, error, run } = useAction('keys:write');
  const rotate = () =>
    run(async (say) => {
      const init = { params: { path: { id: apiKey.id } }, body: { overlapSeconds } };
      const { data } = await patiently(() => api.POST('/api/v1/keys/{id}/rotate', init), say);
      setMade(data.key);
      refreshKeys();
    });
  if (made !== undefined) return <ShownOnce title="The new key" what="key" text={made} onClose={onClose} />;
  const isLost = error !== undefined && !(error instanceof ProblemError && error.status < 500);
  return (
    <Dialog title={`Replace the key ${nameOf(apiKey)}?`} onClose={onClose}>
      <p>A new key gets its name and permissions, and is shown once.</p>
      {isOwn && <p>This page uses the old key: sign in with the new one before the old one ends.</p>}
      <Field label="The old key still works">
        {(described) => (
          <select {...described} value={overlapSeconds} onChange={(event) => setOverlap(Number(event.target.value))}>
            {overlaps.map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {note}
      {isLost && (
        <p className="small">
          If there is a new key in the list now, nobody has seen it: replace that one, so that the old one does not work at all.
        </p>
      )}
      <p className="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={isBusy} onClick={rotate}>
          Replace the key
        </Button>
      </p>
    </Dialog>
  );
}

export const RevokeKey = ({ apiKey, isOwn, onClose }: EndKeyProps) => (
  <Confirm
    title={`Revoke the key ${nameOf(apiKey)}?`}
    action="Revoke key"
    permission="keys:write"
    onClose={onClose}
    run={async (say) => {
      await deleteSurely(() => api.DELETE('/api/v1/keys/{id}', { params: { path: { id: apiKey.id } } }), say);
      refreshKeys();
      toast('The key is revoked.');
    }}
  >
    <p>Programs that use it are refused within a minute. Nothing brings it back.</p>
    <p>Keys that it has created go on. If it has leaked, revoke those too: the list says who created which.</p>
    {isOwn && <p className="notice warning">This page uses it. You will have to sign in with another key.</p>}
  </Confirm>
);
