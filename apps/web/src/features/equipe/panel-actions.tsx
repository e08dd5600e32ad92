import type { ReactNode } from 'react'

export function EquipePanelActions({ children }: { children: ReactNode }) {
  return <div className="self-end sm:col-[2] sm:row-start-2">{children}</div>
}
