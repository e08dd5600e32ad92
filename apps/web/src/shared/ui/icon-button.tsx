import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  readonly rotulo: string
  readonly icone: ReactNode
  readonly variante?: 'ghost' | 'outline' | 'danger' | 'primary'
  readonly dica?: boolean
}

export function IconButton({
  rotulo,
  icone,
  variante = 'ghost',
  dica = true,
  className,
  type = 'button',
  ...resto
}: IconButtonProps) {
  return (
    <button
      {...resto}
      type={type}
      aria-label={rotulo}
      data-tip={rotulo}
      className={clsx('btn btn-icon', `btn-${variante}`, dica && 'tip', className)}
    >
      {icone}
    </button>
  )
}
