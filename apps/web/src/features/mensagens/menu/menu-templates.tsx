import { MODELOS_MENU, type ModeloMenu } from '@balcao/contract/presets/menu-templates'
import type { ReactNode } from 'react'
import { Menu } from '#shared/ui/menu.tsx'

export interface MenuTemplatesProps {
  readonly className: string
  readonly button: ReactNode
  readonly onApply: (modelo: ModeloMenu) => void
}

export function MenuTemplates({ className, button, onApply }: MenuTemplatesProps) {
  return (
    <Menu
      label="Modelos de menu"
      className={className}
      button={button}
      items={MODELOS_MENU.map((modelo) => ({ label: modelo.nome, run: () => onApply(modelo) }))}
    />
  )
}
