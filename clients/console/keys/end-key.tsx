import { useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { useChange } from '../parts/kit/change.tsx';
import { Confirm } from '../parts/kit/confirm.tsx';
import { SelectField } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { ShownOnce } from '../parts/kit/shown-once.tsx';
import { api } from '../service/client.ts';
import { patiently, type Say } from '../service/patience.ts';
import { type ApiKey, keyAt } from './list.ts';
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
  const change = useChange('keys:write');
  const { error } = change;
  const rotate = async (say: Say): Promise<undefined> => {
    const init = { params: { path: { id: apiKey.id } }, body: { overlapSeconds } };
    const { data } = await patiently(() => api.POST('/api/v1/keys/{id}/rotate', init), say);
    setMade(data.key);
    keyAt(apiKey.id).refresh();
  };
  if (made !== undefined) return <ShownOnce title="The new key" what="key" text={made} onClose={onClose} />;
  const isLost = error !== undefined && !(error instanceof ProblemError && error.status < 500);
  return (
    <FormDialog
      title={`Replace the key ${nameOf(apiKey)}?`}
      onClose={onClose}
      change={change}
      action="Replace the key"
      busy="Replacing…"
      run={rotate}
    >
      <p>You get a new key with the same name and permissions. It is shown once.</p>
      {isOwn && <p>This page uses the old key: sign in with the new one before the old one stops working.</p>}
      <SelectField label="The old key still works" value={overlapSeconds} options={overlaps} onChoose={setOverlap} />
      {isLost && (
        <p className="small">
          If the list has a new key now, nobody has seen its value. Replace that key, too, and let it stop working at once.
        </p>
      )}
    </FormDialog>
  );
}

export const RevokeKey = ({ apiKey, isOwn, onClose }: EndKeyProps) => (
  <Confirm
    title={`Revoke the key ${nameOf(apiKey)}?`}
    action="Revoke key"
    permission="keys:write"
    onClose={onClose}
    run={async (say) => {
      await keyAt(apiKey.id).remove(say);
      return { text: 'The key is revoked.' };
    }}
  >
    <p>Programs that use it stop working within a minute. You cannot undo this.</p>
    <p>Keys that it has created still work. If it has leaked, revoke those, too: the list says which key created them.</p>
    {isOwn && <p className="notice warning">This page uses it. You will have to sign in with another key.</p>}
  </Confirm>
);
