import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: 'primary' | 'outline' | 'ghost' | 'danger'
  /** `touch` is 44 px high, for controls that are used on phones. With a mouse on a wide screen it is 40 px. */
  readonly size?: 'sm' | 'md' | 'lg' | 'touch'
  readonly busy?: boolean
}

export function Button({
  variant = 'outline',
  size = 'md',
  busy = false,
  className,
  disabled,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={clsx('btn', `btn-${variant}`, size !== 'md' && `btn-${size}`, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
