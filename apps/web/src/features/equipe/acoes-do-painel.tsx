import type { ReactNode } from 'react'

/** The page's own actions: they stand beside its title, or under it on a phone. */
export function AcoesDoPainel({ children }: { children: ReactNode }) {
  return <div className="self-end sm:!col-[2] sm:row-start-2">{children}</div>
}
