import { Button } from '../button.tsx';
import { CopyButton } from '../copy.tsx';
import { Dialog } from './dialog.tsx';

type ShownOnceProps = {
  readonly title: string;
  /** What it is, such as "secret". */
  readonly what: string;
  readonly text: string;
  /** What it is for. */
  readonly hint?: string;
  readonly onClose: () => void;
};

/** Shows a secret that is never shown again. Only a button closes it, so that nobody loses it by mistake. */
export const ShownOnce = ({ title, what, text, hint, onClose }: ShownOnceProps) => (
  <Dialog title={title} onClose={onClose} isClosable={false}>
    {hint && <p>{hint}</p>}
    <p>Copy it now. It is not shown again.</p>
    <output className="secret mono">{text}</output>
    <p className="actions">
      <CopyButton text={text} what={what} label="Copy" />
      <Button onClick={onClose}>Done</Button>
    </p>
  </Dialog>
);
