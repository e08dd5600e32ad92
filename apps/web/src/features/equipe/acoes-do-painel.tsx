import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** Where the page's own actions go: beside its title. */
export const LugarDasAcoes = createContext<HTMLElement | null>(null)

export function AcoesDoPainel({ children }: { children: ReactNode }) {
  const lugar = use(LugarDasAcoes)
  return lugar === null ? null : createPortal(children, lugar)
}
