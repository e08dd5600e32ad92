import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  readonly label: string
  readonly icon: ReactNode
  readonly variant?: 'ghost' | 'outline' | 'danger' | 'primary'
  readonly size?: 'md' | 'touch'
  readonly tooltip?: boolean
}

export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'md',
  tooltip = true,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      data-tip={label}
      className={clsx('btn btn-icon', `btn-${variant}`, size === 'touch' && 'btn-touch', tooltip && 'tip', className)}
    >
      {icon}
    </button>
  )
}
