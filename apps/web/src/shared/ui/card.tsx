import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly heading?: ReactNode
  readonly actions?: ReactNode
}

export function Card({ heading, actions, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={clsx('card p-4 sm:p-5', className)}>
      {(heading !== undefined || actions !== undefined) && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {heading !== undefined && <h2 className="text-lg font-bold">{heading}</h2>}
          {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
