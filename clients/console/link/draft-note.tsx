import { Button } from '../parts/button.tsx';

type DraftNoteProps = { readonly onContinue: () => void; readonly onDiscard: () => void };

/** Offers changes that were not saved. */
export const DraftNote = ({ onContinue, onDiscard }: DraftNoteProps) => (
  <div className="notice warning">
    <p>You have unsaved changes.</p>
    <p className="actions">
      <Button onClick={onContinue}>Continue</Button>
      <Button onClick={onDiscard}>Discard</Button>
    </p>
  </div>
);
