import { Icon } from '../../parts/icons.tsx';

type BelowProps = { readonly id: string; readonly message: string | undefined; readonly hint?: string | undefined };

/** What is wrong with the field with that id, or else its hint. The field names `${id}-hint` as its description. */
export const Below = ({ id, message, hint }: BelowProps) => (
  <p id={`${id}-hint`} className={message === undefined ? 'small' : 'field-error'}>
    {message === undefined ? (
      hint
    ) : (
      <>
        <Icon name="alert" /> This {message}.
      </>
    )}
  </p>
);
