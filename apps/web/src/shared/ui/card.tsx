import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly titulo?: ReactNode
  readonly acoes?: ReactNode
}

export function Card({ titulo, acoes, className, children, ...resto }: CardProps) {
  return (
    <section {...resto} className={clsx('card p-4 sm:p-5', className)}>
      {(titulo !== undefined || acoes !== undefined) && (
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {titulo !== undefined && <h2 className="text-lg font-bold">{titulo}</h2>}
          {acoes !== undefined && <div className="flex flex-wrap items-center gap-2">{acoes}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
