import { MODELOS_MENU, type ModeloMenu } from '@balcao/contract/modelos-de-menu'
import type { ReactNode } from 'react'
import { Menu } from '#shared/ui/menu.tsx'

export interface ModelosProps {
  readonly className: string
  readonly botao: ReactNode
  readonly onAplicar: (modelo: ModeloMenu) => void
}

export function Modelos({ className, botao, onAplicar }: ModelosProps) {
  return (
    <Menu
      rotulo="Modelos de menu"
      className={className}
      botao={botao}
      itens={MODELOS_MENU.map((modelo) => ({ rotulo: modelo.nome, fazer: () => onAplicar(modelo) }))}
    />
  )
}
