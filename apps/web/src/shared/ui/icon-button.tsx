import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  readonly label: string
  readonly icon: ReactNode
  readonly variant?: 'ghost' | 'outline' | 'danger' | 'primary'
  readonly size?: 'md' | 'touch'
  /** `native`: the browser places it, for buttons at an edge of the window. */
  readonly tooltip?: boolean | 'native'
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
      title={tooltip === 'native' ? label : undefined}
      {...rest}
      type={type}
      aria-label={label}
      data-tip={label}
      className={clsx(
        'btn btn-icon',
        `btn-${variant}`,
        size === 'touch' && 'btn-touch',
        tooltip === true && 'tip',
        className,
      )}
    >
      {icon}
    </button>
  )
}
