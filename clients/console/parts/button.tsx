import type { ComponentProps } from 'react';
import type { IconName } from './icon-paths.ts';
import { Icon } from './icons.tsx';

/**
 * The look of a button: `primary` is the main action of its form or screen, `bad` ends something, `link` is within a
 * text, `bare` has a look of its own.
 */
type Kind = 'plain' | 'primary' | 'bad' | 'link' | 'bare';

type ButtonProps = Omit<ComponentProps<'button'>, 'onClick' | 'type'> & {
  readonly kind?: Kind;
  readonly isSubmit?: boolean;
  readonly onClick?: (() => unknown) | undefined;
};

const classes = { plain: 'button', primary: 'button primary', bad: 'button bad', link: 'link-button', bare: '' };

/** A button with a text. Without `onClick` and `isSubmit`, it does nothing. */
export const Button = ({ kind = 'plain', isSubmit = false, className = '', onClick, ...props }: ButtonProps) => (
  <button
    {...props}
    type={isSubmit ? 'submit' : 'button'}
    className={`${classes[kind]} ${className}`.trim()}
    onClick={onClick && (() => void onClick())}
  />
);

type IconButtonProps = Omit<ButtonProps, 'kind' | 'isSubmit' | 'children'> & {
  readonly icon: IconName;
  /** What it does, for screen readers. */
  readonly label: string;
};

/** A button with only an icon. */
export const IconButton = ({ icon, label, className = 'icon-button', onClick, ...props }: IconButtonProps) => (
  <button {...props} type="button" className={className} aria-label={label} onClick={onClick && (() => void onClick())}>
    <Icon name={icon} />
  </button>
);
