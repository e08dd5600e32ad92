import type { Aba } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import clsx from 'clsx'

interface PartsNavProps<Lista extends string> {
  readonly label: string
  readonly aba: Aba
  /** The first part has no name in the address. */
  readonly parts: readonly { readonly lista: Lista | undefined; readonly label: string }[]
  readonly current: Lista | undefined
}

/** Links to the parts of a tab. Each part has its own address. */
export function PartsNav<Lista extends string>({ label, aba, parts, current }: PartsNavProps<Lista>) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 justify-self-start rounded-xl bg-sunken p-1">
      {parts.map((part) => (
        <Link
          key={part.label}
          to="/dashboard"
          search={{ aba, lista: part.lista }}
          // The address of the first part is contained in those of the others.
          activeOptions={{ exact: true }}
          aria-current={part.lista === current ? 'page' : undefined}
          className={clsx(
            'grid min-h-11 place-items-center rounded-lg px-3 text-sm font-semibold',
            part.lista === current ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          {part.label}
        </Link>
      ))}
    </nav>
  )
}
