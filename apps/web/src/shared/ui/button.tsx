import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variante?: 'primary' | 'outline' | 'ghost' | 'danger'
  readonly tamanho?: 'sm' | 'md' | 'lg'
  /** Shows a spinner and refuses clicks. The label should name the action ('Salvando…'). */
  readonly ocupado?: boolean
}

export function Button({
  variante = 'outline',
  tamanho = 'md',
  ocupado = false,
  className,
  disabled,
  children,
  type = 'button',
  ...resto
}: ButtonProps) {
  return (
    <button
      {...resto}
      type={type}
      disabled={disabled === true || ocupado}
      aria-busy={ocupado || undefined}
      className={clsx('btn', `btn-${variante}`, tamanho !== 'md' && `btn-${tamanho}`, className)}
    >
      {ocupado && <Spinner />}
      {children}
    </button>
  )
}
